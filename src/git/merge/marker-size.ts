/**
Returns how long conflict marks must be so that nothing in these contents can be taken for one.

Fifteen characters, unless a line begins with as many of a mark's own: then one more than the longest such run.
*/
export const markerSizeFor = (contents: readonly Buffer[]): number =>
	contents.reduce((size, content) => Math.max(size, longestRun(content) + 1), usualSize);

/** Longer than the rules that people draw below headings. */
const usualSize = 15;

const markBytes: readonly number[] = [...'<|=>'].map(sign => sign.charCodeAt(0));
const newline = 0x0a;

/** The longest run of one sign at the start of a line. */
const longestRun = (content: Buffer): number => {
	let longest = 0;
	for (let start = 0; start < content.length; start = nextLine(content, start)) {
		const sign = content[start] ?? 0;
		if (markBytes.includes(sign)) {
			let end = start;
			while (content[end] === sign) {
				end += 1;
			}

			longest = Math.max(longest, end - start);
		}
	}

	return longest;
};

const nextLine = (content: Buffer, start: number): number => {
	const end = content.indexOf(newline, start);
	return end === -1 ? content.length : end + 1;
};
