/**
Returns a text as one line.

What a person or an agent wrote can't start a line of its own in a prompt, where it could pass for one of ours. Every character that some program takes for the end of a line counts.
*/
export const oneLine = (text: string): string =>
	text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();
