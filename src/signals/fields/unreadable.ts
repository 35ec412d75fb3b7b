/** Thrown for text that looks like a signal but is invalid; the message gives the agent the reason. */
export class Unreadable extends Error {}

/** Thrown for a signal with blanks, which is an example. */
export class OnlyExample extends Error {}

/** Returns a blank to fill in: `‹the reason›`. */
export const placeholder = (meaning: string): string => `‹${meaning}›`;

/** Returns whether a whole value is a blank of `placeholder`; `‹like this>` counts, too. */
export const isPlaceholder = (value: string): boolean => /^‹[^‹›]*[›>]$/.test(value.trim());

/**
Returns whether a required value was left blank in one of the usual forms: `‹…›`, `<…>`, or only dots.

Used only for prose: a title may be `<Button>`.
*/
export const isBlank = (value: string): boolean =>
	isPlaceholder(value) || /^(?:<[^<>]+>|\.{3}|…)$/.test(value.trim());

/** Maximum length of a malformed signal's text, in UTF-16 code units. */
const TEXT_LENGTH = 16 * 1024;

/** A text that starts like a signal but is invalid. */
export type Malformed = {
	readonly kind: 'malformed';
	/** Kind of the signal it starts like; for a name of `expect`, that name. */
	readonly signal: string;
	readonly line: number;
	/** Reason in one sentence, for the agent that wrote it. */
	readonly reason: string;
	/** Original text, without terminal escapes, cut at 16 KiB. */
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
