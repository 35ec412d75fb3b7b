/** Why a move of the target was refused, or came to nothing. */
export const refusedCauses = [
	'dirty-checkout',
	'untracked-files',
	'ignored-files',
	'target-moved',
	'no-target',
	'in-progress',
	'locked',
	/** An earlier move was cut off, and what it left can't be told from the person's. */
	'interrupted',
	/** A disk is full. */
	'no-room',
	/** The person's git goes by something else than the result was approved with. */
	'settings-changed',
	'other',
] as const;

export type RefusedCause = (typeof refusedCauses)[number];

/** Returns whether this version knows a cause; a journal may be of another one. */
export const isRefusedCause = (cause: string): cause is RefusedCause =>
	(refusedCauses as readonly string[]).includes(cause);
