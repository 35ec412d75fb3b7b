/** A choice as typed: a verb, and after a colon what it is about (`restore:3`, `sequential:AGT-001,AGT-002`). */
export type Choice = {readonly verb: string; readonly argument: string};

/** Takes a choice apart at its first colon. */
export const splitChoice = (choice: string): Choice => {
	const colon = choice.indexOf(':');
	return colon === -1
		? {verb: choice, argument: ''}
		: {verb: choice.slice(0, colon), argument: choice.slice(colon + 1)};
};
