import {execFileSync} from 'node:child_process';
import {readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {CutOff} from '../../src/git/cut-off.ts';
import {moveCheckout} from '../../src/git/move-checkout.ts';
import {publish} from '../../src/git/publish.ts';
import type {Repository} from '../../src/git/repository.ts';
import type {Store} from '../../src/git/store.ts';
import {takeBack} from '../../src/git/take-back.ts';
import {filesBelow, git, script, temporaryFolder} from './repository.ts';

/**
Puts a git in front of the real one that kills itself where a test says.

Our program looks git up once, so this comes before anything else in a test file.
*/
export const installKillableGit = (): void => {
	const folder = temporaryFolder();
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	killFile = join(folder, 'kill');
	// What to do is in a file, since a sealed git gets nothing of our environment.
	script(
		join(folder, 'git'),
		`if read -r word after 2>/dev/null <${killFile}; then
	case " $* " in
	*" $word "*) { sleep "$after"; kill -9 $$; } </dev/null >/dev/null 2>&1 & ;;
	esac
fi
exec ${real} "$@"`,
	);
	process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
};

let killFile = '';

/** Meanwhile each git with this word among its arguments is killed so long after its start. */
export const whileKilled = async <Value>(
	word: string,
	afterMs: number,
	act: () => Promise<Value>,
): Promise<Value> => {
	writeFileSync(killFile, `${word} ${(afterMs / 1000).toFixed(6)}\n`);
	try {
		return await act();
	} finally {
		rmSync(killFile);
	}
};

/** A merge that is published and taken back again and again. */
export type Shuttle = {
	readonly repository: Repository;
	readonly store: Store;
	readonly root: string;
	readonly from: string;
	readonly to: string;
};

/** How many tries ended before git had changed anything, in the middle, and after it was through. */
export type KillFigures = {
	readonly before: number;
	readonly between: number;
	readonly after: number;
};

/**
Kills git at so many points of a publication, and at as many of an undo, and lets the next try recover.

@throws when anything but the state before or after the move is found then.
*/
export const killInMoves = async (shuttle: Shuttle, points: number): Promise<KillFigures> => {
	const {root, repository, store, from, to} = shuttle;
	const old = pictureOf(root);
	await publish(repository, {target: 'main', store, from, to});
	const fresh = pictureOf(root);
	await takeBack(repository, {target: 'main', store, from: to, to: from});
	const longest = await measure(shuttle);
	const figures = {before: 0, between: 0, after: 0};

	for (let point = 0; point < points; point++) {
		const share = (point + 0.5) / points;
		for (const [way, start, end] of [
			['forward', old, fresh],
			['back', fresh, old],
		] as const) {
			const cutOff = await killMove(shuttle, way, share * longest[way]);
			const found = pictureOf(root);
			figures[found === start ? 'before' : found === end ? 'after' : 'between']++;
			const outcome = await recover(shuttle, way, cutOff);
			expectSame({published: true}, outcome, `${way}, point ${point}`);
			expectSame(end, pictureOf(root), `${way}, point ${point}`);
		}
	}

	return figures;
};

type Way = 'forward' | 'back';

const ends = ({from, to}: Shuttle, way: Way) =>
	way === 'forward' ? {from, to} : {from: to, to: from};

/** The commands that move files and the branch; each try kills one of them. */
const words: Readonly<Record<Way, readonly string[]>> = {
	forward: ['merge'],
	back: ['read-tree', 'update-ref'],
};

const killMove = async (shuttle: Shuttle, way: Way, afterMs: number): Promise<CutOff> => {
	const since = new Date().toISOString();
	const choices = words[way];
	const word = choices[Math.floor(afterMs * 1000) % choices.length] ?? '';
	await whileKilled(word, afterMs, () => move(shuttle, way));
	return {...ends(shuttle, way), since};
};

/** What a supervisor does to the checkout, which dies right after it. */
const move = async (shuttle: Shuttle, way: Way): Promise<void> => {
	const {root, repository} = shuttle;
	const checkout = {root, gitDir: repository.gitDir};
	await moveCheckout(checkout, {target: 'main', way, ...ends(shuttle, way)});
};

const recover = (shuttle: Shuttle, way: Way, cutOff: CutOff) => {
	const {repository, store} = shuttle;
	const again = {target: 'main', store, ...ends(shuttle, way), cutOffs: [cutOff]};
	return way === 'forward' ? publish(repository, again) : takeBack(repository, again);
};

/** How long each way takes when nobody disturbs it, in milliseconds; the checkout is then as before. */
const measure = async (shuttle: Shuttle): Promise<Readonly<Record<Way, number>>> => {
	const start = performance.now();
	await move(shuttle, 'forward');
	const middle = performance.now();
	await move(shuttle, 'back');
	// Two commands go back; the one that is killed takes about half of the time.
	return {forward: middle - start, back: (performance.now() - middle) / 2};
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
