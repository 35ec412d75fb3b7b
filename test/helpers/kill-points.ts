import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll} from 'vitest';
import {type GitResult, killedCode} from '../../src/git/process/result.ts';
import type {Repository} from '../../src/git/repository/repository.ts';
import type {Store} from '../../src/git/store/store.ts';
import {moveCheckout, prepareCheckout} from '../../src/git/target/move-checkout.ts';
import type {KillingFilter} from './killing-filter.ts';
import {type KillingGit, makeKillingGit} from './killing-git.ts';
import {movesOf} from './moves.ts';
import {filesBelow, git} from './repository.ts';

/**
Puts a git that tests can kill in front of the real one, for all tests of a file.

Our program looks git up only once, so this must come first in a test file.
*/
export const installKillableGit = (): void => {
	const folder = mkdtempSync(join(tmpdir(), 'delegate-git-'));
	beforeAll(() => {
		killing = makeKillingGit(folder, {once: false});
		process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
	});
	afterAll(() => rmSync(folder, {recursive: true}));
};

let killing: KillingGit | undefined;

/** Factors of the delay for further tries, after a git that had ended before it was killed; with a delay of 0 none can. */
const shares = [1, 0.5, 0.25, 0];

/** Runs a function while each git with this word among its arguments is killed a time after its start; returns the result, and whether one was killed. */
export const whileKilled = async <Value>(
	word: string,
	afterMs: number,
	act: () => Promise<Value>,
): Promise<{readonly value: Value; readonly isStruck: boolean}> => {
	if (killing === undefined) {
		throw new Error('No git that can be killed is installed.');
	}

	const before = killing.struck();
	killing.arm(word, afterMs);
	try {
		const value = await act();
		return {value, isStruck: killing.struck() > before};
	} finally {
		killing.disarm();
	}
};

/** Tries again with a shorter delay until a git was really killed; each further try is prepared. Returns whether one was. */
export const untilStruck = async (
	word: string,
	afterMs: number,
	act: () => Promise<unknown>,
	again: () => Promise<unknown>,
): Promise<boolean> => {
	for (const share of shares) {
		if (share < 1) {
			await again();
		}

		if ((await whileKilled(word, share * afterMs, act)).isStruck) {
			return true;
		}
	}

	return false;
};

/** A merge that is published and undone repeatedly. */
export type Shuttle = {
	readonly repository: Repository;
	readonly store: Store;
	readonly root: string;
	readonly from: string;
	readonly to: string;
	/** Kills the git that writes the file of this number from now on; each move writes twelve. */
	readonly killAt: KillingFilter['killAt'];
};

/** Numbers of tries that ended before git had changed anything, in the middle, and after it was done. */
export type KillFigures = {
	readonly before: number;
	readonly between: number;
	readonly after: number;
	/** Number of tries in which a git was really killed. */
	readonly struck: number;
};

/**
Kills git at a number of points of a publication, and of an undo, and lets the next try recover.

@throws If the state afterwards is neither the one before nor the one after the move.
*/
export const killInMoves = async (shuttle: Shuttle, points: number): Promise<KillFigures> => {
	const {root, from, to} = shuttle;
	const old = pictureOf(root);
	const {merge, undo} = movesOf(shuttle, from, to);
	await merge();
	const fresh = pictureOf(root);
	await undo();
	const longest = await measure(shuttle);
	const figures = {before: 0, between: 0, after: 0, struck: 0};

	for (let point = 0; point < points; point++) {
		const share = (point + 0.5) / points;
		for (const [way, start, end] of [
			['forward', old, fresh],
			['back', fresh, old],
		] as const) {
			const isStruck = await (point === 0
				? killBetweenFiles(shuttle, way)
				: killMove(shuttle, way, share * longest[way]));
			figures.struck += isStruck ? 1 : 0;
			const found = pictureOf(root);
			figures[found === start ? 'before' : found === end ? 'after' : 'between']++;
			const outcome = await (way === 'forward' ? merge() : undo());
			expectSame({moved: true}, outcome, `${way}, point ${point}`);
			expectSame(end, pictureOf(root), `${way}, point ${point}`);
		}
	}

	return figures;
};

type Way = 'forward' | 'back';

/** Kills git between two files, which works on a machine of any speed. */
const killBetweenFiles = async (shuttle: Shuttle, way: Way): Promise<boolean> => {
	shuttle.killAt(6);
	return (await move(shuttle, way)).code === killedCode;
};

/** Commands that move files and the branch; each try kills one of them. */
const words = ['checkout', 'update-ref'];

const killMove = (shuttle: Shuttle, way: Way, afterMs: number): Promise<boolean> => {
	const word = words[Math.floor(afterMs * 1000) % words.length] ?? '';
	return untilStruck(
		word,
		afterMs,
		() => move(shuttle, way),
		() => move(shuttle, way === 'forward' ? 'back' : 'forward'),
	);
};

/** Moves the checkout like a supervisor that dies right after it. */
const move = async (shuttle: Shuttle, way: Way): Promise<GitResult> => {
	const {root, repository, store} = shuttle;
	const [from, to, what] =
		way === 'forward'
			? ([shuttle.from, shuttle.to, 'merge'] as const)
			: ([shuttle.to, shuttle.from, 'undo'] as const);
	const {begin, hold} = movesOf(shuttle, from, to);
	await begin();
	await hold();
	const checkout = {root, gitDir: repository.gitDir};
	await prepareCheckout(repository, checkout, from);
	return moveCheckout(repository, checkout, {store, target: 'main', from, to, what});
};

/** Returns the duration of each move without a kill, in milliseconds; the checkout is as before afterwards. */
const measure = async (shuttle: Shuttle): Promise<Readonly<Record<Way, number>>> => {
	const start = performance.now();
	await move(shuttle, 'forward');
	const middle = performance.now();
	await move(shuttle, 'back');
	// One command moves the files and another one the branch; the killed one takes about half of the time.
	return {forward: (middle - start) / 2, back: (performance.now() - middle) / 2};
};

/** Returns the parts of a checkout and its repository that a move may change, as a comparable text. */
export const pictureOf = (root: string): string =>
	JSON.stringify({
		files: filesBelow(root),
		index: git(root, 'ls-files', '--stage', '-t'),
		refs: git(root, 'for-each-ref', '--format=%(refname) %(objectname)'),
		head: git(root, 'rev-parse', 'HEAD'),
		locks: readdirSync(join(root, '.git'), {recursive: true, encoding: 'utf8'}).filter(name =>
			name.endsWith('.lock'),
		),
	});

const expectSame = (expected: unknown, found: unknown, where: string): void => {
	if (JSON.stringify(expected) !== JSON.stringify(found)) {
		throw new Error(
			`${where}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`,
		);
	}
};
