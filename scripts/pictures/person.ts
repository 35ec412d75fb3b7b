import {keys, type TestTerminal} from '../../test/helpers/terminal.ts';

/** Keeps what is on the screen as a picture. */
export type Shoot = (name: string, title: string) => Promise<void>;

/** Somebody at the screen who presses a key only when they see what it is for. */
export type Person = {
	/** Opens what is next for them, an item with these first letters, and looks until its view is whole. */
	readonly open: (letters: string, content: string | RegExp) => Promise<void>;
	/** Presses keys one by one, each when what it is for is to be seen; Enter takes the choice that they lead to. */
	readonly choose: (...steps: readonly Step[]) => Promise<void>;
	/** Takes a picture in a window of so many columns and rows. */
	readonly picture: (name: string, size: Size, title: string) => Promise<void>;
};

type Size = readonly [columns: number, rows: number];

/** A key, and what is to be seen before it is pressed. */
export type Step = readonly [key: string, seen?: string | RegExp];

/** A diff that has been read: a file, and how many lines it has won. */
export const diff = /Its diff\s+\S+ .*\+\d/;

export const personAt = (terminal: TestTerminal, shoot: Shoot): Person => {
	const resize = async ([columns, height]: Size): Promise<void> => {
		terminal.resize(columns, height);
		await terminal.until(rows => rows.length === height && isWhole(rows, columns));
	};

	let opened = '';
	return {
		open: async (letters, content) => {
			await terminal.until(rows => nextOn(rows)?.startsWith(`${letters}-`) === true);
			opened = nextOn(terminal.rows()) ?? '';
			// Letters and Enter right after a decision count for nothing; an arrow says that somebody looks again.
			terminal.type(keys.left + keys.enter);
			await terminal.until(content);
		},
		choose: async (...steps) => {
			for (const [key, seen = ''] of steps) {
				await terminal.until(seen);
				terminal.type(key);
			}

			// The board is back before what was decided has happened; before that, lines that were never seen may be asked about.
			const isOver = (rows: readonly string[]) => isBoard(rows) && nextOn(rows) !== opened;
			const isTaken = (rows: readonly string[]) => isOver(rows) || asksAgain(rows);
			await terminal.until(
				rows => isTaken(rows) || isAt(rows, steps.at(-1)?.[0]) || hasChanged(rows),
			);
			while (!isTaken(terminal.rows())) {
				const before = terminal.text();
				terminal.type(keys.enter);
				await terminal.until(rows => isTaken(rows) || rows.join('\n') !== before);
			}

			if (asksAgain(terminal.rows())) {
				terminal.type('Y');
			}

			await terminal.until(isOver);
		},
		picture: async (name, size, title) => {
			const {cols, rows} = terminal.screen;
			await resize(size);
			await shoot(name, title);
			await resize([cols, rows]);
		},
	};
};

/** Returns the item that the board offers next. */
const nextOn = (rows: readonly string[]): string | undefined =>
	/⏎ (\w+-\d+)/.exec(rows.join('\n'))?.[1];

const asksAgain = (rows: readonly string[]): boolean => rows.at(-1)?.includes(' Y ') === true;

/** Returns whether the choice is gone to that a key leads to. */
const isAt = (rows: readonly string[], key = ''): boolean =>
	rows.some(row => row.includes(`▸${key}`));

/** A key for what has changed meanwhile does nothing but say so; a person looks at it as it is now, and takes it then. */
const hasChanged = (rows: readonly string[]): boolean =>
	rows.join('\n').includes('has changed since you opened it');

const isBoard = (rows: readonly string[]): boolean => rows.at(-1)?.includes('open agent') === true;

/** A window that has changed its size holds a part of the old frame until the new one is there. */
const isWhole = (rows: readonly string[], columns: number): boolean =>
	rows.at(0)?.includes('delegate-tui') === true &&
	rows.at(0)?.length === columns - 1 &&
	rows.at(-1)?.includes('leave') === true;
