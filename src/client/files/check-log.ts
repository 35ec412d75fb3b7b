import type {Merge} from '../../state/merge/merge.ts';

/**
Returns the log of the check that a merge is at, among the names in the folder of checks; nothing when there is none yet.

A log has the number of the event up to which its check knew the session. So a check that is due since an event never writes to a log with a lower number, and the log can be read from its first line on, before the journal tells of it.
*/
export const checkLogIn = (names: readonly string[], merge: Merge): string | undefined => {
	if ('verified' in merge) {
		const path = merge.verified.log?.path;
		return names.find(name => path?.endsWith(`/${name}`));
	}

	if (merge.phase !== 'built') {
		return undefined;
	}

	const {due} = merge;
	return names
		.filter(name => /^\d+\.log$/.test(name) && numberOf(name) >= due.seq)
		.sort((one, other) => numberOf(one) - numberOf(other))
		.at(-1);
};

const numberOf = (name: string): number => Number.parseInt(name, 10);
