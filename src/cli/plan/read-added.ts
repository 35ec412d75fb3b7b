import type {Plan, Subtask} from '../../events/plan.ts';
import {placeOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {absentAmong} from '../../rules/plan/absence.ts';
import {filesNamedIn} from '../../rules/plan/check.ts';
import {checkSubtask} from '../../rules/plan/joining/check-subtask.ts';
import {parseSubtask} from '../../rules/plan/subtask-file.ts';
import type {State} from '../../state/state.ts';
import {nextAgentId} from '../../supervisor/requests/new-subtask.ts';
import type {Config} from '../config/config.ts';
import type {Here} from '../here.ts';
import {absenceOf} from './absence.ts';
import {existing, problemText} from './read-plan.ts';

/** An agent's part that can join a session. */
export type AddedSubtask = {
	readonly subtask: Subtask;
	readonly environment: Readonly<Record<string, string>>;
	readonly warnings: readonly string[];
};

/**
Reads one agent's part as an entry of a plan file, and checks it against the repository and the session that it joins.

@throws `Failure` of kind `usage` that lists every error with its line and column
*/
export const readAdded = async (
	{repository}: Here,
	config: Config,
	state: State,
	{text, file}: {readonly text: string; readonly file: string},
): Promise<AddedSubtask> => {
	const {agents: profiles, limits} = config;
	const id = nextAgentId(state);
	const parsed = parseSubtask(text, id, {file, profiles, timeoutMs: limits.timeoutMs});
	if (parsed.subtask === undefined) {
		throw unusable(parsed.problems);
	}

	const {subtask, environment, placeOf: place} = parsed;
	const alone = {...planOf(state), agents: [subtask]};
	const problems = checkSubtask(planOf(state), subtask, {
		placeOf: place,
		files: [...(await entriesOf(placeOf(repository), 'HEAD')).keys()],
		existing: await existing(repository, filesNamedIn(alone)),
		absent: absentAmong(alone, {[id]: environment}, agent => absenceOf(agent, repository.root)),
		filesLimit: limits.files,
	});
	if (problems.some(({level}) => level === 'error')) {
		throw unusable(problems);
	}

	return {subtask, environment, warnings: problems.map(problemText)};
};

/** The plan of a session, with the agents that have joined it since. */
const planOf = ({session, agents}: State): Plan => {
	if (session === null) {
		throw new Failure('refused', 'No session is active in this repository.');
	}

	return {...session.plan, agents: agents.map(({subtask}) => subtask)};
};

const unusable = (problems: readonly Problem[]): Failure =>
	new Failure('usage', ["The subtask can't be used.", ...problems.map(problemText)].join('\n'), {
		hint: 'it is written as an entry of "agents" in a plan file is: delegate-tui help plan',
	});
