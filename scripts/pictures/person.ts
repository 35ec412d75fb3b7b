import {keys, type TestTerminal} from '../../test/helpers/terminal.ts';

/** Saves the screen as a picture. */
export type Shoot = (name: string, title: string) => Promise<void>;

/** A person at the screen who presses a key only when its meaning is visible. */
export type Person = {
	/** Opens the next item, with these first letters, and waits until its view is complete. */
	readonly open: (letters: string, content: string | RegExp) => Promise<void>;
	/** Goes to a choice by its key, and takes it once it is seen that the choice is gone to. */
	readonly choose: (key: string, goneTo?: string | RegExp) => Promise<void>;
	/** Takes a picture in a window of so many columns and rows. */
	readonly picture: (name: string, size: Size, title: string) => Promise<void>;
};

type Size = readonly [columns: number, rows: number];

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
			// Letters and Enter directly after a decision are ignored; an arrow shows that the person looks again.
			terminal.type(keys.left + keys.enter);
			await terminal.until(content);
		},
		choose: async (key, goneTo = `▸${key}`) => {
			// The board is back before what was decided has happened.
			const isOver = (rows: readonly string[]) => isBoard(rows) && nextOn(rows) !== opened;
			const isThere = (rows: readonly string[]) => rows.join('\n').match(goneTo) !== null;
			const isTaken = (rows: readonly string[]) => isOver(rows) || asksAgain(rows);
			while (!isTaken(terminal.rows())) {
				// A key for what has changed meanwhile does nothing but say so; an arrow takes that from the screen.
				if (isRefused(terminal.rows())) {
					await terminal.typeUntil(keys.left, rows => !isRefused(rows));
				}

				const typed = isThere(terminal.rows()) ? keys.enter : key;
				await terminal.typeUntil(
					typed,
					rows => isTaken(rows) || isRefused(rows) || (typed === key && isThere(rows)),
				);
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

const isRefused = (rows: readonly string[]): boolean =>
	rows.join('\n').includes('Nothing was done');

const isBoard = (rows: readonly string[]): boolean => rows.at(-1)?.includes('open agent') === true;

/** Returns whether the frame is complete: after a resize the window has a part of the old frame until the new one is there. */
const isWhole = (rows: readonly string[], columns: number): boolean =>
	rows.at(0)?.includes('delegate-tui') === true &&
	rows.at(0)?.length === columns - 1 &&
	rows.at(-1)?.includes('leave') === true;
