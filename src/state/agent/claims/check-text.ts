import {failedCommand} from '../../merge/checked-result.ts';
import type {SnapshotCheck} from '../agent.ts';

/** Returns in words what the plan's checks said of an agent's work. */
export const checkText = (check: SnapshotCheck | undefined): string => {
	if (check === undefined) {
		return 'not run by us yet';
	}

	switch (check.ok) {
		case true:
			return `passed: ${check.commands.map(({command}) => command).join(', ')}`;
		case false:
			return `FAILED: ${failedCommand(check)}${check.log === null ? '' : `, see ${check.log.path}`}`;
		case null:
			return check.why;
	}
};
