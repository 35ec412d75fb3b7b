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
Puts a git in front of the real one, for all tests of a file, that is killed where a test says.

Our program looks git up once, so this comes before anything else in a test file.
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

/** How the delay is shortened for a git that had come to its end before it was killed; none comes to its end in no time. */
const shares = [1, 0.5, 0.25, 0];

/** Tries while each git with this word among its arguments is killed so long after its start; returns what came of it, and whether one was. */
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

/** Tries again with a shorter delay until a git was really killed; each further try is got ready for. Returns whether one was. */
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

/** A merge that is published and taken back again and again. */
export type Shuttle = {
	readonly repository: Repository;
	readonly store: Store;
	readonly root: string;
	readonly from: string;
	readonly to: string;
	/** Kills the git that writes the file of this number from now on; each way writes twelve. */
	readonly killAt: KillingFilter['killAt'];
};

/** How many tries ended before git had changed anything, in the middle, and after it was through. */
export type KillFigures = {
	readonly before: number;
	readonly between: number;
	readonly after: number;
	/** In how many of them a git really died. */
	readonly struck: number;
};

/**
Kills git at so many points of a publication, and at as many of an undo, and lets the next try recover.

@throws when anything but the state before or after the move is found then.
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

/** One that is surely met half way, however fast or busy the machine is. */
const killBetweenFiles = async (shuttle: Shuttle, way: Way): Promise<boolean> => {
	shuttle.killAt(6);
	return (await move(shuttle, way)).code === killedCode;
};

/** The commands that move files and the branch; each try kills one of them. */
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

/** What a supervisor does to the checkout, which dies right after it. */
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

/** How long each way takes when nobody disturbs it, in milliseconds; the checkout is then as before. */
const measure = async (shuttle: Shuttle): Promise<Readonly<Record<Way, number>>> => {
	const start = performance.now();
	await move(shuttle, 'forward');
	const middle = performance.now();
	await move(shuttle, 'back');
	// Files and the branch are moved by a command each; the one that is killed takes about half of the time.
	return {forward: (middle - start) / 2, back: (performance.now() - middle) / 2};
};

/** All of a checkout and its repository that a move may change, as a text to compare. */
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
