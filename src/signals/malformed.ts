/** The most of a malformed signal that is kept, in UTF-16 units. */
const TEXT_LENGTH = 16 * 1024;

/** Something that starts like a signal and can't be read. */
export type Malformed = {
	readonly kind: 'malformed';
	/** Kind of the signal it starts like; for a name of `expect`, that name. */
	readonly signal: string;
	readonly line: number;
	/** One sentence for the agent that wrote it. */
	readonly reason: string;
	/** The text as it stood, without terminal escapes, cut at 16 KiB. */
	readonly text: string;
};

export const malformed = (
	signal: string,
	line: number,
	reason: string,
	text: string,
): Malformed => ({
	kind: 'malformed',
	signal,
	line,
	reason,
	text: text.length > TEXT_LENGTH ? text.slice(0, TEXT_LENGTH).toWellFormed() : text,
});
