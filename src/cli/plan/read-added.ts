import {stringify} from 'yaml';
import type {Plan, Subtask} from '../../events/plan.ts';
import {gitLocationOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {Failure} from '../../lib/failure.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {copiesKept, filesNamedIn} from '../../rules/plan/check.ts';
import {checkSubtask, handedOver} from '../../rules/plan/joining.ts';
import {missingAmong} from '../../rules/plan/missing-among.ts';
import {type JoiningAgent, parseSubtask} from '../../rules/plan/subtask-file.ts';
import {agentsLeft} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {freeAgentIds} from '../../supervisor/requests/new-subtask.ts';
import type {Config} from '../config/config.ts';
import type {Here} from '../here.ts';
import {lookUpPaths, missingProgram, packagesNamedIn, problemText} from './read-plan.ts';

/** A subtask that can join a session. */
export type AddedSubtask = JoiningAgent & {
	/** Rivals with the same subtask, of whose works the best is taken. */
	readonly rivals: readonly JoiningAgent[];
	readonly warnings: readonly string[];
};

/**
Reads a subtask as an entry of a plan file, and checks it against the repository and the session that it joins.

@throws `Failure` of kind `usage` that lists every error with its line and column.
*/
export const readAdded = (
	here: Here,
	config: Config,
	state: State,
	text: Text,
): Promise<AddedSubtask> => readJoining(here, config, state, {...text, ids: freeAgentIds(state)});

type Text = {readonly text: string; readonly file: string};

type Joining = Text & {
	readonly ids: Parameters<typeof parseSubtask>[1];
	readonly dropped?: string | undefined;
};

const readJoining = async (
	{repository}: Here,
	config: Config,
	state: State,
	{text, file, ids, dropped}: Joining,
): Promise<AddedSubtask> => {
	const {agents: profiles, limits, unreadRegistry} = config;
	const parsed = parseSubtask(text, ids, {
		file,
		profiles,
		unreadRegistry,
		timeoutMs: limits.timeout,
		packages: await packagesNamedIn(repository, text),
	});
	if (parsed.subtask === undefined) {
		throw unusable(parsed.problems);
	}

	const {subtask, environment, rivals, positionOf} = parsed;
	const all = [{subtask, environment}, ...rivals];
	const alone = {...planOf(state), agents: all.map(agent => agent.subtask)};
	const environments = Object.fromEntries(all.map(agent => [agent.subtask.id, agent.environment]));
	const joining = [subtask, ...rivals.map(rival => rival.subtask)] as const;
	const files = [...(await entriesOf(gitLocationOf(repository), 'HEAD')).keys()];
	const found = await lookUpPaths(repository, filesNamedIn(alone));
	const problems = checkSubtask(planBeside(state, subtask.id, dropped), joining, {
		positionOf,
		files,
		...found,
		absent: missingAmong(alone, environments, agent => missingProgram(agent, repository.root)),
		filesLimit: limits.files,
		givenUp: givenUpIn(state),
	});
	if (problems.some(({level}) => level === 'error')) {
		throw unusable(problems);
	}

	const kept = (one: Subtask): Subtask => copiesKept(one, files, found.existing);
	return {
		subtask: kept(subtask),
		environment,
		rivals: rivals.map(rival => ({...rival, subtask: kept(rival.subtask)})),
		warnings: problems.map(problemText),
	};
};

/** The subtask of the one agent that a choice about an item adds, in the form of the request. */
export type OneAdded = {
	readonly subtask: Subtask;
	readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** Note of the decision: the text of the subtask. */
	readonly note: string;
	readonly warnings: readonly string[];
};

/**
Reads the subtask of an agent that takes over work, like `readAdded`; rivals can't take over.

@param dropped The agent that it replaces, if any.
@throws `Failure` of kind `usage` that lists every error with its line and column.
*/
export const readOneAdded = async (
	here: Here,
	config: Config,
	state: State,
	{dropped, ...text}: Text & {readonly dropped: string | undefined},
): Promise<OneAdded> => {
	const ids = [freeAgentIds(state)[0]] as const;
	const joining = {...text, ids, dropped};
	const {subtask, environment, warnings} = await readJoining(here, config, state, joining);
	return {
		subtask,
		environments: {[subtask.id]: environment},
		note: subtask.subtask,
		warnings,
	};
};

/** Returns the plan of a session, with the agents that have joined since and without those that were given up, which neither collide with others nor hold them up. */
export const planOf = (state: State): Plan => {
	const {session} = state;
	if (session === null) {
		throw new Failure('refused', 'No session is active in this repository.');
	}

	const left = agentsLeft(state).map(({subtask}) => subtask);
	const isLeft = (id: string): boolean => left.some(subtask => subtask.id === id);
	return {
		...session.plan,
		agents: left.map(subtask => ({...subtask, after: subtask.after.filter(isLeft)})),
	};
};

const givenUpIn = (state: State): readonly string[] => {
	const left = agentsLeft(state);
	return state.agents.filter(agent => !left.includes(agent)).map(({id}) => id);
};

/** Returns the plan that an agent joins, without the one that it replaces, with which it can't collide. */
export const planBeside = (state: State, id: string, dropped: string | undefined): Plan =>
	dropped === undefined ? planOf(state) : handedOver(planOf(state), dropped, id);

const unusable = (problems: readonly Problem[]): Failure =>
	new Failure('usage', ['The subtask can’t be used.', ...problems.map(problemText)].join('\n'), {
		hint: 'write it like an entry of "agents" in a plan file: delegate-tui help plan',
	});

/** A subtask in typed options; absent ones are left out. */
export type SubtaskWords = {
	readonly goal?: string;
	readonly scope?: readonly string[];
	readonly forbid?: readonly string[];
	readonly agent?: string;
	readonly bestOf?: readonly string[];
	readonly after?: readonly string[];
	readonly inputs?: readonly string[];
	readonly metrics?: readonly string[];
	readonly output?: string;
	readonly timeout?: string;
	readonly thinking?: string;
	readonly tokens?: string;
	readonly behavior?: string;
	readonly expect?: readonly string[];
	readonly mode?: string;
	readonly from?: string;
	readonly uncommitted?: true;
	readonly images?: readonly string[];
	readonly checkout?: readonly string[];
};

/** Writes it as an entry of a plan file, so that it is parsed and checked like one. */
export const addedSubtask = ({
	scope,
	forbid,
	bestOf,
	tokens,
	...words
}: SubtaskWords & {readonly subtask: string}): string =>
	stringify({
		...words,
		scope: {allowed: scope, forbidden: forbid},
		best_of: bestOf?.flatMap(names => names.split(',')).filter(name => name !== ''),
		tokens: tokens !== undefined && /^\d+$/.test(tokens) ? Number(tokens) : tokens,
	});
