import {counted} from '../../lib/text/counted.ts';
import {enumerated} from '../../lib/text/enumerated.ts';
import type {Agent} from '../../state/agent/agent.ts';

/** What a person changed in the worktree of an agent, by its paths. */
export type VisitChanges = {
	readonly changed: readonly string[];
	/** What was outside its scope and is not there any more. */
	readonly reverted: readonly string[];
};

/** Returns what came of a visit, in sentences; a person's own work that was reverted is named, with the way to bring it back. */
export const visitText = (agent: Agent, {changed, reverted}: VisitChanges): string => {
	const {id} = agent;
	const told = `You changed ${counted(changed.length, 'file')}, and ${id} is told`;
	const did =
		changed.length > 0 ? told : `You changed nothing${reverted.length > 0 ? ' in its scope' : ''}`;
	const said = `${did}; ${standingText(agent)}.`;
	if (reverted.length === 0) {
		return said;
	}

	const more = reverted.length - mostNamed;
	const named = [...reverted.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
	return `${said} Outside its scope, and so reverted: ${enumerated(named)}. What you want there after all comes back with delegate-tui agent ${id} grant PATH…; delegate-tui diff ${id} --reverted shows all of it.`;
};

/** Paths that fit into a sentence. */
const mostNamed = 5;

const standingText = ({id, held, visits}: Agent): string => {
	if (held === undefined) {
		return 'it goes on';
	}

	return visits === undefined
		? 'it stays paused'
		: `it stays paused, since somebody else, or an editor of yours in another window, may be in its worktree; delegate-tui agent ${id} resume lets it go on all the same`;
};
