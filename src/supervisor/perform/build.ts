import type {Combination} from '../../conflicts/combine.ts';
import {mergeWork} from '../../conflicts/input.ts';
import {budgetOf, wholeRepository} from '../../conflicts/oracle/oracle.ts';
import type {Body} from '../../events/event.ts';
import type {Breakage, Collision, FileCollision, LeftOut} from '../../events/kinds/merge-event.ts';
import {markersLeft} from '../../git/merge/conflict-text.ts';
import {changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {defined, isSame, omit} from '../../lib/values.ts';
import {buildKey} from '../../rules/effects/merging.ts';
import {unshownNotes} from '../../rules/listed-file.ts';
import {markedFor} from '../../state/agent/agent.ts';
import {type ItemOf, itemId, itemPrefix} from '../../state/item.ts';
import {allPathsOf, isBreakage, pathToShow} from '../../state/items/conflict/breakage.ts';
import {conflictWords, settlingChoices} from '../../state/items/conflict/conflict.ts';
import {agentsToMerge, leftOutIn, reopenable, resolutionsAmong} from '../../state/merge/members.ts';
import type {State} from '../../state/state.ts';
import {lockChecks} from '../merging/check-tree.ts';
import {fitResult, putTogether, requireInScope} from '../merging/fit-result.ts';
import {blockedBySettings, seeSettings} from '../merging/git-settings.ts';
import {lookAtResult, type ResultLook} from '../merging/look-at-result.ts';
import {commitResult} from '../merging/result-commits.ts';
import {holdCommit} from '../merging/starting-commit.ts';
import {checkoutElsewhere, requireMovable, targetMove} from '../merging/target-move.ts';
import {inputOf} from '../picking/select-work.ts';
import {believing, foreseen} from '../show/show-outcome.ts';
import {listFiles} from '../show/shown-work.ts';
import {surfaceIn} from '../worktree/escaping-links.ts';
import {requireSession, type World} from '../world.ts';

/** Combines the work to merge on the target's tip, or returns events about its conflicts. */
export const build = async (world: World, state: State): Promise<readonly Body[]> => {
	const agents = agentsToMerge(state).map(({id}) => id);
	const combination = await putTogether(world, state, agents);
	const key = buildKey(state);
	const resolutions = resolutionsAmong(state.resolutions, agents);
	const quick = combination.kind === 'conflicts';
	// Only a possible result justifies the cost of checking the whole repository.
	const budget =
		!quick && isSame(state.allTypesOf, agents)
			? wholeRepository(budgetOf(state.session?.settings.types ?? {}))
			: undefined;
	const seen = await world.checks.run(key, world.folder.scratch, async signal => {
		const looking = {signal, quick, budget};
		const look = await lookAtResult(world, {...state, resolutions}, combination, looking);
		const conflicts =
			combination.kind === 'conflicts'
				? await withBreaks(world, state, combination.conflicts, {by: look, signal})
				: [];
		return {look, conflicts};
	});
	if (seen === undefined) {
		return [];
	}

	const {look, conflicts} = seen;
	if (combination.kind === 'conflicts') {
		return collisionsFound(state, conflicts);
	}

	// Breakages of the last comparison stay open if the new one failed.
	const open =
		look.looked.outcome === 'failed' ? openConflicts(state).filter(isBreakage) : look.open;
	if (open.length > 0) {
		return collisionsFound(state, open);
	}

	return [
		...openConflicts(state).map(({id}): Body => ({kind: 'conflict.gone', conflict: id})),
		await built(world, state, combination, look),
	];
};

/** Maximum number of conflicts whose choices are all tried in advance; with more, only breakages after a manual resolution are shown. */
const mostTried = 3;

/**
Returns conflicts with the other breakages between the same works, as they would be after each choice, for the person who decides.

A choice that keeps git's own lines, such as a manual resolution, has the breakages that both sides' versions have.
*/
const withBreaks = async (
	world: World,
	state: State,
	conflicts: readonly FileCollision[],
	{by, signal}: {readonly by: ResultLook; readonly signal: AbortSignal},
): Promise<readonly FileCollision[]> => {
	const opened = believing(state, collisionsFound(state, conflicts));
	const ahead: FileCollision[] = [];
	for (const conflict of conflicts) {
		const item = openConflicts(opened).find(one => isAbout(one, conflict));
		const choices = item && conflicts.length <= mostTried ? settlingChoices(opened, item) : [];
		const ways = new Map<string, readonly Breakage[]>([
			['manual', by.open.filter(({keeping}) => keeping === undefined)],
		]);
		for (const choice of choices) {
			if (item && (choice.verb === 'choose-one' || choice.verb === 'sequential')) {
				const found = await breaksAfter(world, opened, {item, choice}, signal);
				if (found !== undefined) {
					ways.set(conflictWords(choice), found);
				}
			}
		}

		ahead.push({...conflict, ...defined({breaks: breaksOfWays(conflict, ways)})});
	}

	return ahead;
};

/** Returns the breakages after a choice that isn't made yet; `undefined` if they can't be known, or if the choice leaves part of the conflict open. */
const breaksAfter = async (
	world: World,
	state: State,
	taken: Parameters<typeof foreseen>[2],
	signal: AbortSignal,
): Promise<readonly Breakage[] | undefined> => {
	try {
		const {decided, combination, refused, replayed} = await foreseen(world, state, taken);
		const look = await lookAtResult(world, decided, combination, {signal, quick: true});
		return refused === undefined && replayed?.rest === undefined
			? look.open.filter(({keeping}) => keeping === undefined)
			: undefined;
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof Failure) {
			return undefined;
		}

		throw error;
	}
};

const breaksOfWays = (
	{a, b}: FileCollision,
	ways: ReadonlyMap<string, readonly Breakage[]>,
): FileCollision['breaks'] => {
	const owners = [...a, ...b];
	const found = [...ways.values()]
		.flat()
		.filter(one => one.rule !== 'F2' && [...one.a, ...one.b].every(name => owners.includes(name)));
	const breaks = [...Map.groupBy(found, ({key}) => key)].flatMap(([key, [one]]) => {
		const after = [...ways].flatMap(([way, all]) =>
			all.some(each => each.key === key) ? [way] : [],
		);
		return one === undefined
			? []
			: [{...omit(one, 'files'), ...(ways.size > 1 && after.length === ways.size ? {} : {after})}];
	});
	return breaks.length === 0 ? undefined : breaks;
};

const built = async (
	world: World,
	state: State,
	combination: Combination,
	{looked, accepted}: ResultLook,
): Promise<Body> => {
	const {tree} = combination;
	const agents = agentsToMerge(state);
	const {tip, plan, target} = requireSession(state);
	const leftOut = await leftOutOf(world, state, tree);
	await requireMovable(world.repository, target);
	const changed = await changes(world.store, tip, tree);
	requireInScope(changed, agents, state);
	// First check the settings, before git starts a program of the person's such as a filter.
	const gitSettings = await seeSettings(world, state);
	const held = await blockedBySettings(world, state, gitSettings, {tip, tree, changes: changed});
	if (held !== undefined) {
		return held;
	}

	const fit = await fitResult(world, {tip, tree, changes: changed});
	const surface = await surfaceIn(world.store, fit.changes, plan);
	const committed =
		fit.changes.length === 0
			? {commit: tip}
			: await commitResult(world, state, {agents, tip, tree: fit.tree, leftOut});
	await holdCommit(world, state, 'result', committed.commit);
	const moved = await targetMove(world, state);
	const locks = await lockChecks(world.store, combination, plan.verify);
	const notes = [
		...fit.notes,
		...(await markersLeft(world.store, tree, agents.flatMap(markedFor))),
		...locks.notes,
		...unshownNotes(await listFiles(world.store, [tip, fit.tree], {commands: plan})),
		...(await checkoutElsewhere(world.repository, target)),
	];
	return {
		kind: 'merge.built',
		...committed,
		tree: fit.tree,
		tip,
		agents: agents.map(({id}) => id),
		files: fit.changes.length,
		...(surface.length === 0 ? {} : {surface}),
		...(notes.length === 0 ? {} : {notes}),
		...(locks.installs.length === 0 ? {} : {installs: locks.installs}),
		looked,
		...(accepted.length === 0 ? {} : {accepted}),
		...(leftOut.length === 0 ? {} : {leftOut}),
		gitSettings,
		...defined({moved}),
	};
};

/** Returns the changes that the result lacks because another side was chosen. A file that a person made by hand later may contain them anyway; those don't count. */
const leftOutOf = async (world: World, state: State, tree: string): Promise<readonly LeftOut[]> => {
	const {base, tip} = requireSession(state);
	const agents = agentsToMerge(state).map(({id}) => id);
	const isIn = async (name: string, path: string): Promise<boolean> => {
		const work = name === 'target' ? {base, commit: tip} : inputOf(state, name);
		if (work === undefined) {
			return false;
		}

		const changed = await changes(world.store, work.base, work.commit);
		const own = changed.filter(
			change => change.path === path || change.path.startsWith(`${path}/`),
		);
		const commit = await graft(world.store, {onto: work.base, changes: own});
		const merged = await mergeWork(world.store, tree, {base: work.base, commit});
		return merged.clean && merged.tree === tree;
	};
	const left = leftOutIn(resolutionsAmong(state.resolutions, agents)).map(async one => {
		const known = await Promise.all(one.of.map(name => isIn(name, one.path)));
		const of = one.of.filter((_, index) => known[index] === false);
		return of.length === 0 ? [] : [{...one, of}];
	});
	return (await Promise.all(left)).flat();
};

/** Returns the events about the conflicts that a build found: known ones stay unchanged, and those that are no longer found are closed. */
const collisionsFound = (state: State, found: readonly Collision[]): readonly Body[] => {
	const open = openConflicts(state);
	const fresh = found.filter(conflict => !open.some(item => isAbout(item, conflict)));
	const gone = open.filter(item => !found.some(conflict => isAbout(item, conflict)));
	const {[itemPrefix.conflict]: before = 0} = state.counts;
	const kept = open.filter(item => !gone.includes(item)).map(({id}) => id);
	const {again, others} = reopening(state, fresh, kept);
	const renewed = found.flatMap((conflict): readonly Again[] => {
		const item = open.find(one => isAbout(one, conflict));
		return item === undefined || isSame(breaksOf(item), breaksOf(conflict))
			? []
			: [{...conflict, reopens: item.id}];
	});
	return [
		...gone.map(({id}): Body => ({kind: 'conflict.gone', conflict: id})),
		...[...renewed, ...again].map((conflict): Body => ({kind: 'conflict.found', ...conflict})),
		...others.map((conflict): Body => ({kind: 'conflict.found', ...conflict})),
		{
			kind: 'merge.blocked',
			conflicts: [
				...kept,
				...again.map(({reopens}) => reopens),
				...others.map((_, position) => itemId('conflict', before + 1 + position)),
			],
		},
	];
};

const breaksOf = (conflict: Collision): FileCollision['breaks'] =>
	'stages' in conflict ? conflict.breaks : undefined;

/** A conflict whose item is reopened. */
type Again = Collision & {readonly reopens: string};

/**
Separates the conflicts that a person's resolution left open from all others.

These reopen their own items. Further conflicts in the same files follow once those are settled, so that one item doesn't become several.
*/
const reopening = (
	{resolutions}: State,
	found: readonly Collision[],
	open: readonly string[],
): {readonly again: readonly Again[]; readonly others: readonly Collision[]} => {
	const taken = reopenable(resolutions);
	const again = new Map<string, Again>();
	const left: Collision[] = [];
	for (const conflict of found) {
		const item = taken.find(one => 'key' in conflict && one.key === conflict.key);
		if (item === undefined || again.has(item.id) || !takenFor(taken, conflict).includes(item)) {
			left.push(conflict);
		} else {
			again.set(item.id, {...conflict, reopens: item.id});
		}
	}

	const others: Collision[] = [];
	for (const conflict of left) {
		const items = takenFor(taken, conflict);
		const free = items.find(({id}) => !again.has(id) && !open.includes(id));
		if (free !== undefined) {
			again.set(free.id, {...conflict, reopens: free.id});
		} else if (items.length === 0) {
			others.push(conflict);
		}
	}

	return {again: [...again.values()], others};
};

/**
Returns the items whose resolved files contain a conflict, latest first; none if the conflict involves an agent that had no part in them.

Git may refuse resolved files too: those for two agents conflict with those for two others.
*/
const takenFor = (
	taken: ReturnType<typeof reopenable>,
	conflict: Collision,
): ReturnType<typeof reopenable> => {
	const paths = 'key' in conflict ? allPathsOf(conflict) : [pathToShow(conflict)];
	const items = taken.filter(item => paths.every(path => item.paths.includes(path)));
	const owners = new Set(items.flatMap(item => item.owners));
	return [...conflict.a, ...conflict.b].every(name => owners.has(name)) ? items.toReversed() : [];
};

const openConflicts = (state: State): readonly ItemOf<'conflict'>[] =>
	state.items.filter(item => item.kind === 'conflict');

const isAbout = (item: ItemOf<'conflict'>, conflict: Collision): boolean =>
	isSame(identityOf(item), identityOf(conflict));

/** Returns the parts of a conflict that must stay the same for a resolution folder to stay valid. */
const identityOf = (conflict: Collision): readonly unknown[] => {
	const {path, a, b} = conflict;
	return 'stages' in conflict
		? [path, a, b, conflict.stages]
		: [conflict.key, a, b, conflict.files, conflict.confirmed];
};
