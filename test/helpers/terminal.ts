import {type IPty, spawn} from '@lydell/node-pty';
import xterm, {type Terminal} from '@xterm/headless';
import {type Project, program} from './project.ts';

/** A program in a real terminal, used like a person does. */
export type TestTerminal = Disposable & {
	readonly process: IPty;
	/** The emulated screen, for colours and weights. */
	readonly screen: Terminal;
	/** Returns the rows of the screen, without trailing spaces. */
	readonly rows: () => readonly string[];
	readonly text: () => string;
	/** Returns whether the program is on the alternate screen. */
	readonly isAlternate: () => boolean;
	readonly isCursorShown: () => boolean;
	/** Types text, or the bytes of special keys. */
	readonly type: (keys: string) => void;
	/** Pastes in the mode that the program requested. */
	readonly paste: (text: string) => void;
	readonly resize: (columns: number, rows: number) => void;
	/** Resolves as soon as the screen, between two complete frames, is as expected. */
	readonly until: (what: string | RegExp | ((rows: readonly string[]) => boolean)) => Promise<void>;
	/** Types, and resolves as soon as the screen is as expected. */
	readonly typeUntil: (keys: string, what: Parameters<TestTerminal['until']>[0]) => Promise<void>;
	/** Resolves with the exit code, or 128 and the number of the signal as in a shell, when the program has exited and all its output is on the screen. */
	readonly exited: Promise<number>;
	/** Does the same, but rejects if the program does not exit in time. */
	readonly exits: () => Promise<number>;
	/** Returns everything that the program wrote. */
	readonly written: () => string;
};

export type TerminalOptions = {
	readonly program: string;
	readonly words: readonly string[];
	readonly directory: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly columns: number;
	readonly rows: number;
};

/** Bytes of special keys. */
export const keys = {
	enter: '\r',
	escape: '\x1b',
	tab: '\t',
	up: '\x1b[A',
	down: '\x1b[B',
	right: '\x1b[C',
	left: '\x1b[D',
	pageDown: '\x1b[6~',
	backspace: '\x7f',
	controlC: '\x03',
} as const;

/** Time in which the screen must be as expected, in milliseconds. */
const limitMs = 60_000;

/** Starts a command of our program in its own terminal, like a person in a project; `environment` is added to the project's. */
export const openProgram = (
	project: Pick<Project, 'root' | 'environment'>,
	words: readonly string[] = [],
	{
		columns = 80,
		rows = 24,
		environment = {},
	}: Partial<Pick<TerminalOptions, 'columns' | 'rows' | 'environment'>> = {},
): TestTerminal =>
	openTerminal({
		program: process.execPath,
		words: [program, ...words],
		directory: project.root,
		environment: {...project.environment, ...environment},
		columns,
		rows,
	});

/** Starts a program in its own terminal. */
export const openTerminal = (options: TerminalOptions): TestTerminal => {
	const {program, words, directory, environment, columns, rows: height} = options;
	const terminal = new xterm.Terminal({
		cols: columns,
		rows: height,
		allowProposedApi: true,
		scrollback: 1000,
	});
	const child = spawn(program, [...words], {
		name: environment.TERM ?? 'xterm-256color',
		cols: columns,
		rows: height,
		cwd: directory,
		env: environment,
	});
	const looks = new Set<() => void>();
	let written = '';
	/** The last chunk, and before it the possible beginning of a sequence that it ends. */
	let recent = '';
	let isOver = false;
	let cursorShown = true;
	const lookAgain = (): void => {
		// A frame is drawn between two marks; the screen is incomplete meanwhile.
		if (!terminal.modes.synchronizedOutputMode || isOver) {
			for (const look of [...looks]) {
				look();
			}
		}
	};

	terminal.onData(answer => {
		if (!isOver) {
			child.write(answer);
		}
	});
	const exited = Promise.withResolvers<number>();
	child.onData(chunk => {
		written += chunk;
		recent = recent.slice(-5) + chunk;
		const [shown, hidden] = [recent.lastIndexOf('\x1b[?25h'), recent.lastIndexOf('\x1b[?25l')];
		cursorShown = shown === hidden ? cursorShown : shown > hidden;
		terminal.write(chunk, lookAgain);
	});
	child.onExit(({exitCode, signal}) => {
		isOver = true;
		terminal.write('', () => {
			lookAgain();
			exited.resolve(signal ? 128 + signal : exitCode);
		});
	});
	const rows = (): readonly string[] => {
		const {active} = terminal.buffer;
		return Array.from({length: terminal.rows}, (_, row) =>
			(
				active.getLine(active.baseY + row)?.translateToString(true, 0, terminal.cols) ?? ''
			).trimEnd(),
		);
	};

	const text = () => rows().join('\n');
	const until: TestTerminal['until'] = what =>
		new Promise((resolve, reject) => {
			const isSo =
				typeof what === 'function'
					? () => what(rows())
					: typeof what === 'string'
						? () => text().includes(what)
						: () => what.test(text());
			const stop = (): void => {
				looks.delete(look);
				clearTimeout(timer);
			};

			const look = (): void => {
				if (isSo()) {
					stop();
					resolve();
				} else if (isOver) {
					stop();
					reject(new Error(`The program ended before this was seen: ${what}\n${text()}`));
				}
			};

			const timer = setTimeout(() => {
				stop();
				reject(new Error(`This was not seen: ${what}\n${text()}`));
			}, limitMs);
			looks.add(look);
			look();
		});

	return {
		process: child,
		screen: terminal,
		rows,
		text,
		isAlternate: () => terminal.buffer.active.type === 'alternate',
		isCursorShown: () => cursorShown,
		type: typed => child.write(typed),
		paste: pasted => child.write(`\x1b[200~${pasted}\x1b[201~`),
		resize: (width, newHeight) => {
			terminal.resize(width, newHeight);
			child.resize(width, newHeight);
		},
		until,
		typeUntil: (typed, what) => {
			child.write(typed);
			return until(what);
		},
		exited: exited.promise,
		exits: async () => {
			const late = Promise.withResolvers<never>();
			const timer = setTimeout(
				() => late.reject(new Error(`The program does not end.\n${text()}`)),
				limitMs,
			);
			return Promise.race([exited.promise, late.promise]).finally(() => clearTimeout(timer));
		},
		written: () => written,
		[Symbol.dispose]: () => {
			if (!isOver) {
				child.kill('SIGKILL');
			}
		},
	};
};
