import {lastResult, type Results} from '../../state/merge/publication.ts';

/**
Returns the log of the check that the merge is at, or of the last one that was published, among the names in the folder of checks; nothing when there is none yet.

A log has the number of the event up to which its check knew the session. So a check that is due since an event never writes to a log with a lower number, and the log can be read from its first line on, before the journal tells of it.
*/
export const checkLogIn = (names: readonly string[], state: Results): string | undefined => {
	const result = lastResult(state);
	if (result === undefined) {
		return undefined;
	}

	if ('verified' in result) {
		const path = result.verified.log?.path;
		return names.find(name => path?.endsWith(`/${name}`));
	}

	const {due} = result;
	return names
		.filter(name => /^\d+\.log$/.test(name) && numberOf(name) >= due.seq)
		.sort((one, other) => numberOf(one) - numberOf(other))
		.at(-1);
};

const numberOf = (name: string): number => Number.parseInt(name, 10);
