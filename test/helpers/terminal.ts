import {type IPty, spawn} from '@lydell/node-pty';
import xterm, {type Terminal} from '@xterm/headless';
import {type Project, program} from './project.ts';

/** A program in a real terminal, looked at and typed into as a person would. */
export type TestTerminal = Disposable & {
	readonly process: IPty;
	/** The screen itself, for what is no text: colours and weights. */
	readonly screen: Terminal;
	/** What stands on the screen, one text for each row, without the spaces at its end. */
	readonly rows: () => readonly string[];
	readonly text: () => string;
	/** Whether the program has taken the whole screen. */
	readonly isAlternate: () => boolean;
	readonly isCursorShown: () => boolean;
	/** Types: text, or the bytes of special keys. */
	readonly type: (keys: string) => void;
	/** Pastes as terminals do for programs that asked for it. */
	readonly paste: (text: string) => void;
	readonly resize: (columns: number, rows: number) => void;
	/** Settles as soon as the screen, between two whole frames, is as wanted. */
	readonly until: (what: string | RegExp | ((rows: readonly string[]) => boolean)) => Promise<void>;
	/** Types, and settles as soon as the screen is as wanted. */
	readonly typeUntil: (keys: string, what: Parameters<TestTerminal['until']>[0]) => Promise<void>;
	/** Settles with the exit code when the program has ended and all it wrote is on the screen. */
	readonly exited: Promise<number>;
	/** The same, but fails when the program does not end in time. */
	readonly exits: () => Promise<number>;
	/** Everything the program wrote. */
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

/** Bytes of the keys that are no text. */
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

/** How long the screen may take to become as wanted, in milliseconds. */
const limitMs = 60_000;

/** Starts a command of our program in a terminal of its own, as a person does in a project; `environment` is added to the project's. */
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

/** Starts a program in a terminal of its own. */
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
	/** The last chunk, and before it what may have begun a sequence that it ends. */
	let recent = '';
	let isOver = false;
	let cursorShown = true;
	const lookAgain = (): void => {
		// A frame is drawn between two marks; what stands there meanwhile is none.
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
	child.onExit(({exitCode}) => {
		isOver = true;
		terminal.write('', () => {
			lookAgain();
			exited.resolve(exitCode);
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
