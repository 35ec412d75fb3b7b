/**
Returns a text as one line.

What a person or an agent wrote can't start a line of its own in a prompt, where it could pass for one of ours. Every character that some program takes for the end of a line counts.
*/
export const oneLine = (text: string): string =>
	text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();

/** Longest text of an agent that is passed on as one line, in characters. */
const maximumLength = 300;

/** Returns a text as one line that a person reads at a glance; a long one is cut. */
export const shortLine = (text: string): string => {
	const line = oneLine(text);
	return line.length <= maximumLength ? line : `${line.slice(0, maximumLength)}…`;
};
