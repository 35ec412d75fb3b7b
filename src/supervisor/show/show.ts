import {z} from 'zod';
import {subjectText} from '../../control/caller.ts';
import type {Page} from '../../control/socket.ts';
import type {Listed, Subject} from '../../control/subject.ts';
import type {Store} from '../../git/store/store.ts';
import {patch, treesOf} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {defined, dropOldest} from '../../lib/values.ts';
import {printShown} from '../../rules/by-hand/hunk-lines.ts';
import {lastResult} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {showHunks} from '../by-hand/show-hunks.ts';
import {type FilePieces, readPieces} from '../picking/pieces.ts';
import {requireInput} from '../picking/select-work.ts';
import {revertedChanges} from '../worktree/bring-git-back.ts';
import {heldTree, treeAfter} from '../worktree/hidden-in.ts';
import {requireAgent, requireSession, requireSnapshot, type Works} from '../world.ts';
import {showOutcome} from './show-outcome.ts';
import {conflictOf, type Shown, showSide} from './show-side.ts';
import {type CommitRange, listFiles, patchAt, shownPatch} from './shown-work.ts';

export type ShowParts = {readonly what: Subject; readonly offset: number; readonly limit: number};

/** Longest line that is shown, in characters. */
const maximumLine = 2000;

/** Returns the lines of a requested text, in most cases a diff. */
export const show = async (
	works: Works,
	state: State,
	{what, offset, limit}: ShowParts,
): Promise<Page> => {
	const {text, remark, preview} = await shownOf(works, state, what);
	const lines = text.split('\n');
	const asked = lines.slice(offset, offset + limit);
	const whole = asked.map(isJson(what) ? shownEntry : shownLine);
	const page = whole.slice(0, fitting(whole));
	const end = offset + page.length;
	return {
		lines: page,
		cut: asked.slice(0, page.length).filter((line, at) => line !== page[at]).length,
		total: lines.length,
		next: end < lines.length ? end : null,
		...defined({remark, preview}),
	};
};

/** Returns a line for display, cut if it is very long. */
export const shownLine = (line: string): string =>
	line.length <= maximumLine
		? line
		: `${line.slice(0, maximumLine)} … and ${line.length - maximumLine} more characters, not shown here`;

const isJson = ({of}: Subject): boolean => of === 'files' || of === 'hunks' || of === 'parts';

/** Returns a line of JSON that is still valid: long texts are cut, but names are not. */
const shownEntry = (line: string): string => {
	if (line.length <= maximumLine || !/^\t*"(?!\w+": )/.test(line)) {
		return line;
	}

	const end = line.endsWith(',') ? ',' : '';
	const text = z.string().parse(JSON.parse(line.slice(0, line.length - end.length)));
	return JSON.stringify(shownLine(text)) + end;
};

/** Returns the number of lines that fit into one answer, at least one. */
const fitting = (lines: readonly string[]): number => {
	let length = 0;
	const over = lines.findIndex(line => {
		length += line.length;
		return length > maximumPage;
	});
	return over === -1 ? lines.length : Math.max(1, over);
};

/** In characters; each takes at most six bytes, and a frame of the socket a mebibyte. */
const maximumPage = 150_000;

const shownOf = async (works: Works, state: State, what: Subject): Promise<Shown> => {
	switch (what.of) {
		case 'files':
			return {text: await listOf(works, state, what.in)};
		case 'file':
			return {
				text: await patchAt(works.store, rangeOf(state, what.in), what.paths, what.in.context),
			};
		case 'work':
		case 'result':
			return {text: await diffOf(works, state, what)};
		case 'since':
			return defined({text: await diffOf(works, state, what), remark: sinceRemark(state, what)});
		case 'parts':
			return showWork(works, state, what.agent);
		case 'restore':
			return {text: await whatRestoreChanges(works, state, what)};
		case 'reverted':
			return {text: await whatWasReverted(works, state, what.agent)};
		case 'side':
			return showSide(works, state, conflictOf(state, what.item), what.side);
		case 'outcome':
			return showOutcome(works, state, {
				item: conflictOf(state, what.item),
				choice: what.choice,
			});
		case 'hunks':
			return showHunks(works, conflictOf(state, what.item));
	}
};

type SnapshotOf = {readonly agent: string; readonly snapshot: number};

/** Returns the changes of a restore, based on the last snapshot; later writes are unknown. */
const whatRestoreChanges = async (
	works: Works,
	state: State,
	{agent: id, snapshot: number}: SnapshotOf,
): Promise<string> => {
	const agent = requireAgent(state, id);
	const goal = requireSnapshot(agent, number);
	return patch(works.store, await heldTree(works, agent), await treeAfter(works, goal));
};

const diffOf = ({store}: Works, state: State, what: Listed): Promise<string> => {
	const range = rangeOf(state, what);
	return kept(store, `${subjectText(what)} ${range}`, () =>
		shownPatch(store, range, {
			commands: requireSession(state).plan,
			...defined({context: what.context}),
		}),
	);
};

const listOf = ({store}: Works, state: State, what: Listed): Promise<string> => {
	const range = rangeOf(state, what);
	return kept(store, `files:${subjectText(what)} ${range}`, async () => {
		const files = await listFiles(store, range, {commands: requireSession(state).plan});
		return files.map(file => JSON.stringify(file)).join('\n');
	});
};

const rangeOf = (state: State, what: Listed): CommitRange => {
	switch (what.of) {
		case 'work':
			return workOf(state, what.agent);
		case 'since': {
			const {from, to} = sinceOf(state, what);
			return [from.work, to.work];
		}

		case 'result':
			return resultOf(state);
	}
};

const sinceOf = (state: State, {agent: id, snapshot: number}: SnapshotOf) => {
	const agent = requireAgent(state, id);
	const from = requireSnapshot(agent, number);
	return {from, to: agent.snapshots.at(-1) ?? from};
};

/** Returns a remark if others' work became part of the agent's base meanwhile: it isn't its own change, and can't be separated here. */
const sinceRemark = (state: State, what: SnapshotOf): string | undefined => {
	const {from, to} = sinceOf(state, what);
	return from.startingPoint.base === to.startingPoint.base
		? undefined
		: 'Its base has changed since then, so other work is included here.';
};

const whatWasReverted = async ({store}: Works, state: State, id: string): Promise<string> => {
	const agent = requireAgent(state, id);
	const {before, after} = await treesOf(store, await revertedChanges(store, agent));
	return patch(store, before, after);
};

const resultOf = (state: State): CommitRange => {
	const result = lastResult(state);
	if (result === undefined) {
		throw new Failure('refused', 'There is no result to show yet.');
	}

	return [result.built.tip, result.built.commit];
};

const workOf = (state: State, id: string): CommitRange => {
	const {base, commit} = requireInput(state, id);
	return [base, commit];
};

/** Returns an agent's work in parts that can be picked, as `printShown` prints it. */
const showWork = async ({store}: Works, state: State, id: string): Promise<Shown> => {
	const [base, commit] = workOf(state, id);
	return {text: await kept(store, `parts ${base} ${commit}`, () => textOf(store, base, commit))};
};

const textOf = async (store: Works['store'], base: string, commit: string): Promise<string> => {
	const files = await readPieces(store, base, commit);
	return printShown({work: commit, files: files.map(shownFile)});
};

const shownFile = ({path, whole, hunks}: FilePieces) => ({
	path,
	...defined({whole}),
	hunks: hunks.map(({line, section, lines}) => ({
		line,
		section: asText(section),
		lines: lines.map(text => asText(text.replace(/\n$/, ''))),
	})),
});

const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** Maximum number of cached texts: a screen requests the pages of several at a time. */
const mostKept = 4;

const texts = new WeakMap<Store, Map<string, Promise<string>>>();

/** Returns a cached text, which is requested page by page and never changes; a failed one is made again. */
const kept = (store: Store, key: string, make: () => Promise<string>): Promise<string> => {
	const known = texts.get(store) ?? new Map<string, Promise<string>>();
	texts.set(store, known);
	const text = known.get(key) ?? make();
	known.delete(key);
	known.set(key, text);
	text.catch(() => known.delete(key));
	dropOldest(known, mostKept);
	return text;
};
