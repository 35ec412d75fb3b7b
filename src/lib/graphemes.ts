let segmenter: Intl.Segmenter | undefined;

/**
Returns the characters of a text as people see them, each of which may be several of the machine's.

The tables behind it are loaded with the first use: that takes longer than most commands of ours take otherwise.
*/
export const graphemes = (text: string): Iterable<Intl.SegmentData> => {
	segmenter ??= new Intl.Segmenter();
	return segmenter.segment(text);
};
