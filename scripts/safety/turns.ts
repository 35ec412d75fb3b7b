/*
Which tests of the suite a run tries that is not deep: a commit has one in twelve, and the next commit the next ones.

A file of which nothing is tried should not even be loaded. So there are two cuts, one in four files and in those one in three tests, but for files with so many tests that each commit has some of them.
*/

/** Tried for every commit: each of their tests stands for hundreds of tries that start few processes. */
const always = ['safety/simulation', 'safety/journal', 'safety/lock'];

const large = [
	'cli/doctor/clean',
	'conflicts/cases',
	'conflicts/strategies',
	'git/target/merge',
	'git/target/recover',
	'git/target/refused-moves',
	'git/worktree/attacks',
	'safety/attacks',
	'safety/supervisor-killed',
	'safety/supervisor-killed-seldom',
	'safety/zoo',
	'supervisor/undo/undo',
];

const filesOneIn = 4;
const testsOneIn = 3;

/** Returns whether a run tries any test of a file. */
export const isFileInTurn = (file: string, turn: number): boolean =>
	isAmong(always, file) ||
	isAmong(large, file) ||
	numberOf(file) % filesOneIn === turn % filesOneIn;

/** Returns whether a run that tries some tests of a file tries the one at that position. */
export const isTestInTurn = (file: string, position: number, turn: number): boolean => {
	const place = numberOf(file) + position;
	return (
		isAmong(always, file) ||
		(isAmong(large, file)
			? (place + turn) % (filesOneIn * testsOneIn) === 0
			: (place + Math.floor(turn / filesOneIn)) % testsOneIn === 0)
	);
};

const isAmong = (names: readonly string[], file: string): boolean =>
	names.some(name => file === `test/${name}.safety.ts`);

/** Returns a number that stays the same when other files come or go. */
const numberOf = (file: string): number =>
	[...file].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, 0);
