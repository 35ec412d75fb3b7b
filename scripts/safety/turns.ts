/*
Selects the tests of the suite for a run that is not deep: one in twelve for a commit, and the next ones for the next commit.

A file without a selected test should not even be loaded. So there are two steps, one in four files and in those one in three tests, except for files with so many tests that each commit has some of them.
*/

/** Files for every commit: each of their tests stands for hundreds of tries with few processes. */
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

/** Returns whether a run includes a test of a file. */
export const isFileInTurn = (file: string, turn: number): boolean =>
	isAmong(always, file) ||
	isAmong(large, file) ||
	numberOf(file) % filesOneIn === turn % filesOneIn;

/** Returns whether a run that includes a file includes its test at a position. */
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

/** Returns a number that does not depend on other files. */
const numberOf = (file: string): number =>
	[...file].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, 0);
