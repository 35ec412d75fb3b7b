import {type Combination, combine} from '../../conflicts/combine.ts';
import type {Scope} from '../../events/plan.ts';
import {cleanFilters, type Incoming} from '../../git/filters/clean-filters.ts';
import {withPatience} from '../../git/process/patience.ts';
import {user} from '../../git/process/user.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {nameClashes} from '../../git/tree/name-clashes.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {allows, judge} from '../../state/agent/scope.ts';
import {acceptedAgents, resolutionsAmong} from '../../state/merge/members.ts';
import type {State} from '../../state/state.ts';
import {waiting} from '../machine/survivors.ts';
import {selected} from '../picking/select-work.ts';
import {findEscapingLinks, touchesLink} from '../worktree/escaping-links.ts';
import {requireSession, type Works, type World} from '../world.ts';
import {blockedBySettings, seeSettings} from './git-settings.ts';

/** A result in the form in which it can enter the person's checkout. */
export type Fit = {
	readonly tree: string;
	readonly changes: readonly Change[];
	/** Further notes for the approval. */
	readonly notes: readonly string[];
};

/**
Adapts a result to the person's checkout, and notes properties that a list of files doesn't show.

Each agent's work was checked separately; here it is checked together, on the target's tip.

@throws `Failure` of kind `refused` when the result can't enter the checkout
*/
export const fitResult = async (
	world: World,
	{tip, tree, changes: raw}: Incoming,
): Promise<Fit> => {
	await requireLinksInside(world, tip, raw);
	const clashes = await clashNotes(world, tree, raw);
	const {repository, store} = world;
	const cleaned = await withPatience({onWait: wait => world.report(waiting(wait))}, () =>
		cleanFilters(repository, store, {tip, tree, changes: raw}),
	);
	const filtered = [...cleaned.filtered].map(
		([path, name]) => `${path} was added through your filter ${name}.`,
	);
	return {
		tree: cleaned.tree,
		changes: cleaned.tree === tree ? raw : await changes(store, tip, cleaned.tree),
		notes: [...clashes, ...filtered],
	};
};

const requireLinksInside = async (
	{store}: World,
	tip: string,
	changed: readonly Change[],
): Promise<void> => {
	if (!changed.some(touchesLink)) {
		return;
	}

	const [escaping] = await findEscapingLinks(store, await entriesOf(store, tip), changed);
	if (escaping !== undefined) {
		const by = escaping.by.map(({path}) => path).join(', ');
		throw new Failure(
			'refused',
			`All work together would make ${escaping.link} ${escaping.why}${by === escaping.link ? '' : `, by ${by}`}.`,
			{hint: 'Tell an agent to change the link, or leave an agent out.'},
		);
	}
};

/** Refuses names that differ only in case if the person's file system is case-insensitive; otherwise returns notes about them. */
const clashNotes = async (
	{store, repository}: World,
	tree: string,
	changed: readonly Change[],
): Promise<readonly string[]> => {
	const added = changed.flatMap(({status, path}) => (status === 'A' ? [path] : []));
	const clashes =
		added.length === 0 ? [] : nameClashes((await entriesOf(store, tree)).keys(), added);
	const [clash] = clashes;
	if (clash !== undefined && (await foldsNames(repository.root))) {
		throw new Failure(
			'refused',
			`${clash.join(' and ')} are one file in your checkout, where case makes no difference.`,
			{hint: 'Tell an agent to choose another name.'},
		);
	}

	return clashes.map(
		names => `${names.join(' and ')} are one file where case makes no difference, as on macOS.`,
	);
};

const foldsNames = async (root: string): Promise<boolean> => {
	const {stdout} = await user(root, [
		...['config', '--type=bool', '--default=false', '--get', 'core.ignorecase'],
	]);
	return stdout.toString().trim() === 'true';
};

/**
Throws if a result contains more than its agents' scopes allow. This is the last check before a person is asked.

A file that a person resolved by hand may be outside all scopes, but never one that is forbidden to every agent.
*/
export const requireInScope = (
	changed: readonly Pick<Change, 'path'>[],
	agents: readonly Pick<Agent, 'subtask'>[],
	state: Pick<State, 'resolutions'>,
): void => {
	const byHand = new Set(
		state.resolutions.flatMap(resolution =>
			resolution.choice === 'manual' ? [resolution.path, ...(resolution.mends ?? [])] : [],
		),
	);
	const isExempt = (path: string) => byHand.has(path) && allows(everything, path);
	for (const {path} of changed) {
		const verdicts = agents.map(({subtask}) => judge(subtask.scope, path));
		if (!isExempt(path) && !verdicts.includes('allowed')) {
			const [why = 'not allowed'] = verdicts.map(one =>
				typeof one === 'string' ? one : one.outside,
			);
			throw new Failure(
				'refused',
				`The result would change ${path}, which is in no agent’s scope: ${why}.`,
			);
		}
	}
};

/** Widest possible scope: it excludes only the files that are forbidden to every agent. */
const everything: Scope = {allowed: ['**'], forbidden: []};

/**
Returns a tree after the person's filters, so that a check sees it as it would see a result.

@throws `Failure` of kind `refused` if the person's git settings have changed, so that no filter may run
*/
export const fittedTree = async (world: World, state: State, tree: string): Promise<string> => {
	const {tip} = requireSession(state);
	const incoming = {tip, tree, changes: await changes(world.store, tip, tree)};
	const held = await blockedBySettings(world, state, await seeSettings(world, state), incoming);
	if (held !== undefined) {
		throw new Failure('refused', 'Your git settings changed since the result was built.');
	}

	return (await fitResult(world, incoming)).tree;
};

/**
Combines accepted work of agents on the target's tip, in memory, with the decisions about it so far.

It depends only on the given state, so the same rule previews a decision and carries it out. Agents whose work isn't accepted in that state are left out, and so are decisions about other agents' work.
*/
export const putTogether = async (
	works: Works,
	state: State,
	ids: readonly string[],
): Promise<Combination> => {
	const {tip, base, startedAt} = requireSession(state);
	const agents = acceptedAgents(state).flatMap(({id}) => (ids.includes(id) ? [id] : []));
	const inputs = await selected(works, state, agents);
	return combine(works.store, {
		tip,
		base,
		inputs,
		resolutions: resolutionsAmong(state.resolutions, agents),
		at: startedAt,
	});
};
