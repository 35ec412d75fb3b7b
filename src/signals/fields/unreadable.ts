/** Thrown for text that looks like a signal and can't be read; the message tells the agent why. */
export class Unreadable extends Error {}

/** Thrown for a signal whose blanks are not filled in: an example, no signal. */
export class OnlyExample extends Error {}

/** Writes a blank for someone to fill in: `‹the reason›`. */
export const placeholder = (meaning: string): string => `‹${meaning}›`;

/** Returns whether a whole value is a blank as `placeholder` writes it; `‹like this>` is one too. */
export const isPlaceholder = (value: string): boolean => /^‹[^‹›]*[›>]$/.test(value.trim());

/**
Whether a required value was left blank in a manner people use: `‹…›`, `<…>`, or nothing but dots.

Only where prose is expected: a title may well be `<Button>`.
*/
export const isBlank = (value: string): boolean =>
	isPlaceholder(value) || /^(?:<[^<>]+>|\.{3}|…)$/.test(value.trim());

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
