import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {firstChanges} from '../../conflicts/checks/failure-locations.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import type {ChangedBy} from '../../events/kinds/merge-event.ts';
import {commitTree, readRef} from '../../git/store/store.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {defined, omit} from '../../lib/values.ts';
import type {EffectOf} from '../../rules/effects/effect.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {conflictWords} from '../../state/items/conflict/conflict.ts';
import {outcomeCheckName} from '../../state/items/conflict/outcome-check.ts';
import {partCheckName} from '../../state/merge/attribution.ts';
import type {CheckedTree} from '../../state/merge/merge.ts';
import type {State} from '../../state/state.ts';
import {removeWithSlot} from '../machine/slots.ts';
import {checkTree, installsOf} from '../merging/check-tree.ts';
import {fittedTree, putTogether} from '../merging/fit-result.ts';
import {lookAtResult} from '../merging/look-at-result.ts';
import {selected} from '../picking/select-work.ts';
import {leftText} from '../show/preview.ts';
import {foreseen} from '../show/show-outcome.ts';
import {conflictOf} from '../show/show-side.ts';
import {requireSession, requireSnapshot, type World} from '../world.ts';

/** Checks part of a failed result, to find the responsible agents; skips trees that were checked before. */
export const checkPart = async (
	world: World,
	state: State,
	{key, since, agents}: EffectOf<'check-part'>,
): Promise<readonly Body[]> => {
	const checked = (outcome: Outcome): readonly Body[] => [
		{kind: 'part.checked', since, agents, log: null, ...outcome},
	];
	const part = await partOf(world, state, agents).catch(
		(error): Outcome => ({tree: null, outcome: 'unclear', why: whyRefused(error)}),
	);
	if ('outcome' in part) {
		return checked(part);
	}

	const {commit, tree, isAll} = part;
	const known = isAll ? undefined : world.state().checkedTrees.find(one => one.tree === tree);
	if (known !== undefined) {
		return checked(await outcomeOf(world, state, agents, known));
	}

	const everybody = 'built' in state.merge ? state.merge.built.agents : agents;
	const name = partCheckName(since, agents, everybody);
	const installs = installsOf(state);
	const outcome = await checkTree(world, requireSession(state), {key, name, commit, installs});
	if (outcome === undefined) {
		return [];
	}

	const {log} = outcome;
	return checked({log, ...(await outcomeOf(world, state, agents, {...outcome, tree}))});
};

type Outcome = Omit<BodyOf<'part.checked'>, 'kind' | 'since' | 'agents' | 'log'> &
	Partial<Pick<BodyOf<'part.checked'>, 'log'>>;

/** Returns the outcome of a part's check; if several agents fail together, with the changed lines of each. */
const outcomeOf = async (
	world: World,
	state: State,
	agents: readonly string[],
	{tree, ok, places}: Pick<CheckedTree, 'tree' | 'ok' | 'places'>,
): Promise<Outcome> => {
	const named = (places ?? []).map(({path}) => path);
	const changed =
		ok || agents.length < 2
			? []
			: await Promise.all(agents.map(id => changedBy(world, state, id, named)));
	return {
		tree,
		outcome: ok ? 'green' : 'red',
		...defined({places}),
		...(changed.length === 0 ? {} : {changed: changed.flat()}),
	};
};

const changedBy = async (
	world: World,
	state: State,
	id: string,
	named: readonly string[],
): Promise<readonly ChangedBy[]> => {
	const lines = (await selected(world, state, [id])).map(({base, commit}) =>
		firstChanges(world.store, {side: 'a', base, commit}, named),
	);
	return (await Promise.all(lines)).flat().map(line => ({agent: id, ...omit(line, 'side')}));
};

/** A commit on the target's tip with the work of some agents. */
type Part = {readonly commit: string; readonly tree: string; readonly isAll: boolean};

/** Returns why a tree can't be checked: it can't be combined, or doesn't fit the checkout. Rethrows any other error, so that the effect is retried. */
const whyRefused = (error: unknown): string => {
	const {kind, message} = asFailure(error);
	if (kind !== 'refused') {
		throw error;
	}

	return message;
};

const partOf = async (world: World, state: State, agents: readonly string[]): Promise<Part> => {
	const {store} = world;
	const {tip} = requireSession(state);
	const {merge} = state;
	if ('built' in merge && merge.built.agents.length === agents.length) {
		return {commit: merge.built.commit, tree: merge.built.tree, isAll: true};
	}

	if (agents.length === 0) {
		return {commit: tip, tree: (await readRef(store, `${tip}^{tree}`)) ?? tip, isAll: false};
	}

	const tree = await fittedTree(world, state, await treeOf(world, state, agents));
	const message = `Work of ${agents.join(', ')}\n`;
	const commit = await commitTree(store, {tree, parents: [tip], message, at: world.now()});
	return {commit, tree, isAll: false};
};

const treeOf = async (world: World, state: State, agents: readonly string[]): Promise<string> => {
	const combination = await putTogether(world, state, agents);
	if (combination.kind === 'conflicts') {
		const [summary = ''] = combination.conflicts.map(conflict => conflict.summary);
		throw new Failure('refused', `Their work alone can’t be combined: ${summary}`);
	}

	return combination.tree;
};

/** Runs the plan's checks on a snapshot of one agent's work; one at a time, since no agent waits for them. */
export const checkSnapshot = async (
	world: World,
	state: State,
	agent: Agent,
	{key, number, since}: EffectOf<'check-snapshot'>,
): Promise<readonly Body[]> => {
	const {work: commit, tree} = requireSnapshot(agent, number);
	return world.serially('check-snapshot', async () => {
		const name = `${agent.id}-${number}-${since}`;
		const outcome = await checkTree(world, requireSession(state), {key, name, commit});
		if (outcome === undefined) {
			return [];
		}

		const {ok, commands, log} = outcome;
		return [{kind: 'snapshot.checked', agent: agent.id, number, since, tree, ok, commands, log}];
	});
};

/** Previews the outcome of a choice about a conflict with all checkers, and runs the plan's checks on it. */
export const checkOutcome = async (
	world: World,
	state: State,
	effect: EffectOf<'check-outcome'>,
): Promise<readonly Body[]> => {
	const {conflict, choice, since} = effect;
	const nothing = {put: null, tree: null, commands: [], log: null, left: []} as const;
	const result = await resultOf(world, state, effect).catch(
		(error): OutcomeResult => ({...nothing, outcome: 'unclear', why: whyRefused(error)}),
	);
	const check = {conflict, choice: conflictWords(choice), since};
	return result === undefined ? [] : [{kind: 'outcome.checked', ...check, ...result}];
};

type OutcomeResult = Omit<BodyOf<'outcome.checked'>, 'kind' | 'conflict' | 'choice' | 'since'>;

const resultOf = async (
	world: World,
	state: State,
	{key, conflict, choice, since}: EffectOf<'check-outcome'>,
): Promise<OutcomeResult | undefined> => {
	const item = conflictOf(state, conflict);
	const {decided, combination} = await foreseen(world, state, {item, choice});
	if (combination.kind === 'conflicts') {
		const [first] = combination.conflicts;
		throw new Failure(
			'refused',
			`${first?.path ?? 'Something'} still collides; that has to be decided first.`,
		);
	}

	const look = await world.checks.run(key, world.folder.scratch, signal =>
		lookAtResult(world, decided, combination, {signal}),
	);
	const session = requireSession(state);
	const tree = await fittedTree(world, state, combination.tree);
	const commit = await commitTree(world.store, {
		tree,
		parents: [session.tip],
		message: `Outcome of ${conflictWords(choice)}\n`,
		at: session.startedAt,
	});
	const name = outcomeCheckName({since});
	const outcome =
		session.plan.verify.length === 0
			? {ok: true, commands: [], log: null}
			: await checkTree(world, session, {key, name, commit});
	if (look === undefined || outcome === undefined) {
		return undefined;
	}

	return {
		...{put: combination.tree, tree, left: look.open.map(leftText)},
		...omit(outcome, 'ok'),
		outcome: outcome.ok ? 'green' : 'red',
	};
};

/** Runs the plan's checks on the built result. */
export const verify = async (
	world: World,
	state: State,
	{key, commit, tree}: EffectOf<'verify'>,
): Promise<readonly Body[]> => {
	const session = requireSession(state);
	const ended = {kind: 'verify.ended' as const, commit, tree};
	if (session.plan.verify.length === 0) {
		return [{...ended, ok: true, commands: [], log: null}];
	}

	// A person had exactly this tree checked before they chose it.
	const known = world.state().checkedTrees.find(one => one.tree === tree);
	const installs = installsOf(state);
	if (known?.ran !== undefined && installs.length === 0) {
		const {ok, ran, places} = known;
		return [{...ended, ok, ...ran, ...defined({places})}];
	}

	// One check at a time, so that they don't disturb each other and the remains of others can be removed.
	return world.serially('verify', async () => {
		await removeChecks(world);
		const outcome = await checkTree(world, session, {key, name: state.seq, commit, installs});
		return outcome === undefined ? [] : [{...ended, ...outcome}];
	});
};

/**
Removes the worktrees of checks that don't run any more; keeps the logs.

A supervisor that was killed during a check left its worktree behind. It contains only the checked result and output of the checks.
*/
export const removeChecks = async ({
	folder: {checks: folder},
	checks,
	slots,
}: Pick<World, 'folder' | 'checks' | 'slots'>): Promise<void> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const left = entries
		.filter(entry => entry.isDirectory())
		.map(({name}) => join(folder, name))
		.filter(path => !checks.isBusy(path));
	await Promise.all(left.map(path => removeWithSlot(slots, path)));
};
