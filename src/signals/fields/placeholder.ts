/** Writes a blank for someone to fill in: `‹the reason›`. */
export const placeholder = (meaning: string): string => `‹${meaning}›`;

/** Whether a whole value is a blank as `placeholder` writes it; `‹like this>` is one too. */
export const isPlaceholder = (value: string): boolean => /^‹[^‹›]*[›>]$/.test(value.trim());

/**
Whether a required value was left blank in a manner people use: `‹…›`, `<…>`, or nothing but dots.

Only where prose is expected: a title may well be `<Button>`.
*/
export const isBlank = (value: string): boolean =>
	isPlaceholder(value) || /^(?:<[^<>]+>|\.{3}|…)$/.test(value.trim());
