import {realpath, stat} from 'node:fs/promises';
import {relative, resolve, sep} from 'node:path';
import {mistakeIn} from '../../conflicts/detectors/file/syntax.ts';
import type {Input} from '../../conflicts/input.ts';
import type {TakenFile, TreeEntry} from '../../events/event.ts';
import type {PickedOf} from '../../events/picked.ts';
import type {Program, Scope, Subtask} from '../../events/plan.ts';
import {tipOf} from '../../git/repository/repository.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {type Entry, entriesAt, submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {asGlob} from '../../lib/glob.ts';
import {type Match, matchPattern} from '../../lib/text/match-pattern.ts';
import {defined, isSame, omit} from '../../lib/values.ts';
import {takesWork} from '../../rules/commands/choices.ts';
import type {Command, Decision} from '../../rules/commands/command.ts';
import type {Question} from '../../signals/index.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import {judge} from '../../state/agent/scope.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import {allPathsOf, isBreakage} from '../../state/items/conflict/breakage.ts';
import {conflictWords} from '../../state/items/conflict/conflict.ts';
import {globsIn} from '../../state/items/globs.ts';
import type {Seen} from '../../state/items/kind.ts';
import type {SeenAnswer} from '../../state/items/question/answer.ts';
import {resultDoubts} from '../../state/merge/checked-result.ts';
import {partsNamed} from '../../state/rivals/rivals.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {modeOf, seeFiles, seeResolution, type WantedFile, wantedOf} from '../perform/resolution.ts';
import {replayedOn} from '../perform/rework.ts';
import {filesLike, type OtherWork, pickedWork} from '../picking/picked-work.ts';
import {patchOfParts, readPieces} from '../picking/pieces.ts';
import {inputOf, requireInput, requireUnmoved} from '../picking/select-work.ts';
import {draftFor, goalWith, type RequestKind, subtaskFor} from '../requests/new-subtask.ts';
import {isBelow, resolveLinks} from '../requests/permission.ts';
import {requireSession, type Works, type World} from '../world.ts';

/**
Adds facts about files and git to a decision, so that the pure rules can judge it.

The supervisor finds these facts itself and drops those that a request contains.
*/
export const gather = async (world: World, state: State, command: Command): Promise<Command> => {
	if (command.kind !== 'decide') {
		return command;
	}

	const item = itemOf(state, command.item);
	const decision = omit(command, 'seen');
	return item === undefined ? decision : seeItem(world, state, item, decision);
};

type See<K extends Kind> = (
	world: World,
	state: State,
	item: ItemOf<K>,
	decision: Decision,
) => Promise<Decision>;

const seeItem = async <K extends Kind>(
	world: World,
	state: State,
	item: ItemOf<K>,
	decision: Decision,
): Promise<Decision> => {
	const see: See<K> | undefined = sees[item.kind];
	return see === undefined ? decision : see(world, state, item, decision);
};

/** Lookups for the kinds of items whose rules need facts from outside the state. */
const sees: {readonly [K in Kind]?: See<K>} = {
	question: async (...seen) => withAnswer(...seen),
	blocker: async (_, state, item, decision) => withSubtask(state, decision, item),
	delegation: async (_, state, item, decision) => withSubtask(state, decision, item),
	review: async (...seen) => withPicked(...seen),
	failure: async (world, state, item, decision) =>
		withPicked(world, state, item, withSubtask(state, decision, item)),
	conflict: async (world, state, item, decision) =>
		withArbiterSubtask(state, item, await withResolution(world, state, item, decision)),
	approval: async ({repository}, state, {doubted}, decision) => {
		const tip = await tipOf(repository, requireSession(state).target);
		const said = resultDoubts(state.merge);
		const isNews =
			decision.choice.verb === 'approve' &&
			said.length > 0 &&
			![doubted, decision.despite].every(told => isSame(told, said));
		return {...decision, seen: defined({tip, doubts: isNews ? said : undefined})};
	},
};

/** Adds the files of a manual or proposed resolution, only for choices that take them. */
export const withResolution = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	decision: Decision,
): Promise<Decision> => {
	if (decision.on !== 'conflict') {
		return decision;
	}

	const {choice} = decision;
	if (choice.verb === 'sequential') {
		const replayed = await replayedOn(works, state, item, choice);
		return {...decision, seen: defined({replayed})};
	}

	const seen =
		choice.verb === 'done'
			? await seeResolution(works, state, item)
			: choice.verb === 'take'
				? await seeProposal(works, state, item, choice.agent)
				: undefined;
	return seen === undefined ? decision : withDoubts(works, item, {...decision, seen});
};

/** Adds doubts about files that look like mistakes. The item then shows them, and the same choice takes the files if it names these doubts. */
const withDoubts = async (
	{store}: Works,
	item: ItemOf<'conflict'>,
	decision: Decision<'conflict'>,
): Promise<Decision> => {
	const {choice, seen} = decision;
	const before = new Map<string, readonly TreeEntry[]>(
		isBreakage(item)
			? item.files.map(({path, entry}) => [path, [entry]] as const)
			: [[item.path, [item.stages.a, item.stages.b].filter(entry => entry !== null)] as const],
	);
	const found = (seen?.files ?? []).map(async ({path, entry}) => {
		const sides = await Promise.all((before.get(path) ?? []).map(({oid}) => readBlob(store, oid)));
		return entry === null || entry.mode === submoduleMode || sides.length === 0
			? []
			: doubtsOf(path, await readBlob(store, entry.oid), sides);
	});
	const doubts = (await Promise.all(found)).flat();
	const words = conflictWords(choice);
	const isTold = isSame(item.doubted, {choice: words, doubts}) && isSame(decision.despite, doubts);
	return doubts.length === 0 || isTold ? decision : {...decision, seen: {...seen, doubts}};
};

/** Returns the suspicious differences between a file and both sides' versions, one sentence each. */
const doubtsOf = (path: string, taken: Buffer, sides: readonly Buffer[]): readonly string[] => {
	const text = (content: Buffer) => content.toString('utf8');
	if (text(taken).trim() === '') {
		return sides.some(side => text(side).trim() === '') ? [] : [`${path} is empty.`];
	}

	const mistake = mistakeIn(path, text(taken).split('\n'));
	const wasRead = sides.some(side => mistakeIn(path, text(side).split('\n')) === undefined);
	return mistake !== undefined && wasRead ? [`${path} can’t be read: ${mistake}.`] : [];
};

/** Adds the arbiter's subtask, whose scope is only the conflicted files. */
const withArbiterSubtask = (state: State, item: ItemOf<'conflict'>, given: Decision): Decision => {
	const decision = omit(given, 'subtask');
	if (decision.on !== 'conflict' || decision.choice.verb !== 'arbiter') {
		return decision;
	}

	const {as} = decision.choice;
	const {note, program} = decision;
	const subtask = arbiterSubtask(state, item, {as, ...defined({program, note})});
	return {...decision, ...defined({subtask})};
};

/** Adds the selected part of an agent's work, from a patch or from picks, for choices that take work. */
const withPicked = async (
	{store}: Works,
	state: State,
	{agent: id}: ItemOf<'failure'> | ItemOf<'review'>,
	decision: Decision,
): Promise<Decision> => {
	if (decision.on !== 'failure' && decision.on !== 'review') {
		return decision;
	}

	const {choice, note = ''} = decision;
	const rival = choice.verb === 'merge-with' ? choice.agent : undefined;
	const input = inputOf(state, rival ?? id);
	if (input === undefined || !takesWork(choice)) {
		return decision;
	}

	const named = rival === undefined ? [] : partsNamed(rival, note);
	const works = named.flatMap(({agent, globs}) => {
		const work = inputOf(state, agent);
		return work === undefined ? [] : {input: work, globs};
	});
	const patch = await patchOf(store, input, decision);
	if (patch !== undefined) {
		const files = await pickedWork(store, input, patch, works.slice(1));
		const others = (decision.picked?.also ?? []).map(one => filesPicked(store, state, one));
		return {...decision, seen: {files: [...files, ...(await Promise.all(others)).flat()]}};
	}

	if (rival === undefined) {
		await requireNamed(store, input, choice.verb === 'salvage' ? globsIn(note) : []);
		return decision;
	}

	const own = inputOf(state, id);
	const files = await Promise.all(works.map(work => filesOf(store, work)));
	await (own && requireUnmoved(store, own, files.flat()));
	return {
		...decision,
		seen: {files: files.flatMap((of, at) => (at === 0 ? of.map(file => omit(file, 'of')) : of))},
	};
};

/** Throws if a glob matches no changed file: the choice would leave out the work and still close its item. */
const requireNamed = async (
	store: Works['store'],
	input: Input,
	globs: readonly string[],
): Promise<void> => {
	for (const glob of globs) {
		if ((await filesLike(store, input, [glob])).length === 0) {
			const owner = input.owners.join();
			throw new Failure('refused', `${owner} changed no file that \`${glob}\` matches.`, {
				hint: `delegate-tui diff ${owner} shows what it changed`,
			});
		}
	}
};

const filesOf = async (
	store: Works['store'],
	{input, globs}: OtherWork,
): Promise<readonly TakenFile[]> =>
	(await filesLike(store, input, globs)).map(file => ({...file, of: input.owners.join()}));

const patchOf = async (
	store: Works['store'],
	input: Input,
	{patch, picked}: Decision,
): Promise<Buffer | undefined> =>
	picked === undefined
		? patch === undefined
			? undefined
			: Buffer.from(patch, 'latin1')
		: patchPicked(store, input, picked);

const filesPicked = async (
	store: Works['store'],
	state: State,
	{agent, ...picked}: PickedOf & {readonly agent: string},
): Promise<readonly TakenFile[]> => {
	const input = requireInput(state, agent);
	const files = await pickedWork(store, input, await patchPicked(store, input, picked));
	return files.map(file => ({...file, of: agent}));
};

const patchPicked = async (
	store: Works['store'],
	{base, commit, owners}: Input,
	picked: PickedOf,
): Promise<Buffer> => {
	if (picked.work !== commit) {
		throw new Failure(
			'refused',
			`The work of ${owners.join()} has changed since you picked parts of it.`,
			{
				hint: 'look at it again; nothing of it was taken',
			},
		);
	}

	return patchOfParts(await readPieces(store, base, commit), picked.parts);
};

/** Adds the facts about an answer that its question restricts. */
export const withAnswer = async (
	{folder}: Pick<World, 'folder'>,
	state: State,
	{question, agent}: ItemOf<'question'>,
	decision: Decision,
): Promise<Decision> => {
	const {scope} = agentOf(state, agent)?.subtask ?? {};
	if (decision.on !== 'question' || scope === undefined) {
		return decision;
	}

	const reach = {tree: folder.agent(agent).tree, scope};
	return {...decision, seen: {answer: await seeAnswer(question, decision.choice.text, reach)}};
};

/** Adds the subtask of a new agent, with the scope and the command of the agent that requested it. */
const withSubtask = (state: State, decision: Decision, item: ItemOf<RequestKind>): Decision => {
	if (decision.on !== 'delegation' && decision.on !== 'blocker' && decision.on !== 'failure') {
		return decision;
	}

	const draft = draftFor(state, item, decision.choice.verb, decision.note);
	const subtask = draft && (decision.subtask ?? draft);
	return subtask === undefined ? decision : {...decision, subtask};
};

export type ArbiterParts = {
	/** Name that the person used. */
	readonly as: string;
	/** Program from the config; default: that of an agent of the session. */
	readonly program?: Program;
	readonly note?: string;
};

/** Returns the subtask of an agent that resolves a conflict, whose scope is the conflicted files; `undefined` if no agent or profile has that name. */
export const arbiterSubtask = (
	state: State,
	item: ItemOf<'conflict'>,
	{as, program, note}: ArbiterParts,
): Subtask | undefined => {
	const asked = program ?? programLike(state, as);
	const [model = ''] = [...item.a, ...item.b].filter(name => name !== 'target');
	const what = `${item.a.join('+')} and ${item.b.join('+')}`;
	const like = subtaskFor(state, `Propose how to settle what ${what} collide in`, model);
	if (asked === undefined || like === undefined) {
		return undefined;
	}

	const paths = isBreakage(item) ? allPathsOf(item) : [item.path];
	return {
		...omit(
			like,
			'behavior',
			'profile',
			'origin',
			'tokens',
			'mode',
			'mcpServers',
			'images',
			'from',
		),
		...asked,
		...defined({
			goal: goalWith(
				`${paths.join(' and ')} as both sides meant it, with nothing left that collides or breaks`,
				note,
			),
		}),
		scope: {allowed: paths.map(asGlob), forbidden: []},
		inputs: [],
		expect: ['SUMMARY'],
	};
};

const programLike = ({agents}: State, as: string): Program | undefined => {
	const like = agents.find(({id, subtask}) => id === as || subtask.profile === as)?.subtask;
	return like && defined({agent: like.agent, profile: like.profile, origin: like.origin});
};

/** Returns the facts about an answer that its question restricts. */
export const seeAnswer = async (
	question: Question,
	text: string,
	{tree, scope}: {readonly tree: string; readonly scope: Scope},
): Promise<SeenAnswer> =>
	defined({
		match: matchOf(question, text.trim()),
		path: question.type === 'path' ? await judged(text.trim(), tree, scope) : undefined,
	});

/** Matches an answer against the question's pattern. An answer of type `regex` without a pattern need only be a valid regular expression. */
const matchOf = ({type, pattern}: Question, text: string): Match | undefined =>
	pattern === undefined
		? type === 'regex'
			? matchPattern(text, '')
			: undefined
		: matchPattern(pattern, text);

/** Judges a path at the end of its links. An agent without a scope only reads, and may read its whole worktree. */
const judged = async (
	text: string,
	tree: string,
	scope: Scope,
): Promise<NonNullable<SeenAnswer['path']>> => {
	const root = await realpath(tree).catch(() => tree);
	const goal = resolve(root, text);
	const within = relative(root, await resolveLinks(goal));
	if (within !== '' && !isBelow(within)) {
		return 'elsewhere';
	}

	const found = await ifThere(stat(goal)).catch(() => undefined);
	if (found === undefined) {
		return 'missing';
	}

	// A folder is a valid answer if it exists: the agent may use just a part of it.
	if (within === '' || found.isDirectory() || scope.allowed.length === 0) {
		return within !== '' && within.split(sep).includes('.git') ? 'global' : 'there';
	}

	const verdict = judge(scope, within);
	return typeof verdict === 'object' ? verdict.outside : 'there';
};

/**
Returns the conflicted files in an arbiter's pinned work, as if a person had resolved them by hand.

@throws `Failure` when one of them is a link or a submodule although neither side has one
*/
const seeProposal = async (
	{store}: Works,
	state: State,
	item: ItemOf<'conflict'>,
	agent: string,
): Promise<Seen> => {
	const arbiter = agentOf(state, agent);
	const snapshot = arbiter && lastSnapshot(arbiter);
	if (snapshot === undefined) {
		return {};
	}

	const paths = wantedOf(item).map(({path}) => path);
	const entries = await entriesAt(store, snapshot.work, paths);
	return seeFiles(store, item, async wanted => {
		const found = entries.get(wanted.path);
		return found && proposedEntry(wanted, found);
	});
};

/** Returns the tree entry for a proposed file; it keeps the mode that it has on the sides. */
export const proposedEntry = ({path, modes}: WantedFile, {mode, oid}: Entry): Entry => {
	if (mode !== symlinkMode && mode !== submoduleMode) {
		return {mode: modeOf(modes), oid};
	}

	if (!modes.includes(mode)) {
		const kind = mode === symlinkMode ? 'symbolic link' : 'submodule';
		throw new Failure(
			'refused',
			`In the proposal ${path} is a ${kind}, which it is on neither side of the conflict.`,
			{hint: 'send it back with a note, or resolve the conflict in another way'},
		);
	}

	return {mode, oid};
};
