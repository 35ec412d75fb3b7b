import {totalmem} from 'node:os';
import type {TypeLimits} from '../../events/settings.ts';
import type {Store} from '../../git/store/store.ts';
import {Failure} from '../../lib/failure.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {counted} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import type {Evidence} from '../finding.ts';

/** An error that a checker reports about a tree. */
export type Diagnosis = {
	/** Path from the root of the tree. */
	readonly path: string;
	/** Line, counted from 1. */
	readonly line: number;
	/** The checker's code of the error, such as `TS2554`; empty if it has none. */
	readonly code: string;
	readonly text: string;
};

/** Removes duplicate errors: a file may belong to several projects or targets. */
export const unique = (errors: readonly Diagnosis[]): readonly Diagnosis[] => [
	...new Map(errors.map(error => [JSON.stringify(error), error])).values(),
];

export type OracleContext = {
	/** Store with the trees to check. */
	readonly store: Store;
	/** The person's checkout, whose own tools are preferred; absent for a bare repository. */
	readonly checkout?: string;
	/** True if a checker may run code of the trees, such as build scripts. */
	readonly runsCode: boolean;
	/** Returns the budget of checkers that support one, if it is not `defaultBudget` or the caller's. */
	readonly budget?: () => Partial<CheckerBudget>;
	/** File in its own folder in which a checker can cache data about the whole tree for the next process. */
	readonly kept?: string;
	/** Returns the command that starts a checker in a sandbox; without it the command itself is used. */
	readonly shutIn?: ShutIn;
};

/** Returns a command that runs a checker in a sandbox: its input may come from an agent, and so may code that it runs. */
export type ShutIn = (work: {
	readonly command: readonly string[];
	/** Working directory; absent for a checker that only reads the store. */
	readonly tree?: string;
	/** Another folder that it may write. */
	readonly keeps?: string;
}) => Promise<Start>;

/** A command to start. */
export type Start = {
	/** Whole command line, including its prefix. */
	readonly words: readonly string[];
	readonly env: NodeJS.ProcessEnv;
};

export const startsPlainly: ShutIn = async ({command}) => ({words: command, env: process.env});

/** Limits of a checker's input and resources, above which it is stopped. */
export type CheckerBudget = {
	/** Number of source files up to which the whole tree is checked. */
	readonly whole: number;
	/** Number of files to read of a larger tree: changed ones, their importers, and the imports of all these. */
	readonly files: number;
	readonly bytes: number;
	/** Memory of it and its children, in bytes. */
	readonly memory: number;
	/** Time for a merge, in seconds. */
	readonly seconds: number;
};

export const defaultBudget: CheckerBudget = {
	whole: 500,
	files: 3000,
	bytes: 32 * 2 ** 20,
	memory: 2 ** 30,
	// A large project first takes half a minute; a much longer run is of no use to a waiting person.
	seconds: 120,
};

/** Widens a budget to the whole repository, with at least half an hour and half of the machine's memory. */
export const wholeRepository = ({
	memory = 0,
	seconds = 0,
}: Partial<CheckerBudget>): CheckerBudget => ({
	...{whole: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER},
	bytes: Number.MAX_SAFE_INTEGER,
	memory: Math.max(memory, defaultBudget.memory, Math.floor(totalmem() / 2)),
	seconds: Math.max(seconds, 1800),
});

/** Converts a budget from the config's units, such as MiB. */
export const budgetOf = ({files, read, memory, seconds}: TypeLimits): Partial<CheckerBudget> => ({
	...(files === undefined ? {} : {files, whole: Math.min(files, defaultBudget.whole)}),
	...defined({
		bytes: read && read * 2 ** 20,
		memory: memory && memory * 2 ** 20,
		seconds,
	}),
});

/** Settles as a promise does, or rejects as soon as the signal aborts. */
export const unlessAborted = <Result>(
	promise: Promise<Result>,
	signal: AbortSignal | undefined,
): Promise<Result> =>
	signal === undefined
		? promise
		: new Promise((resolve, reject) => {
				const abort = () => reject(signal.reason);
				signal.addEventListener('abort', abort, {once: true});
				if (signal.aborted) {
					abort();
				}

				promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
			});

/** Thrown if a checker would exceed its budget; other comparisons may still be within it. */
export class OverBudget extends Failure {
	readonly needs: {readonly files: number} | {readonly memory: number};

	constructor(needs: OverBudget['needs']) {
		super(
			'refused',
			'files' in needs
				? `${counted(needs.files, 'file')} would have to be read, more than the limit.`
				: `It needed more than ${bytesText(needs.memory)} of memory.`,
		);
		this.needs = needs;
	}
}

export type Checked = {
	readonly errors: readonly Diagnosis[];
	/** Files that it checked completely: a file without an error is correct. */
	readonly covered: ReadonlySet<string>;
	/** The errors that the tree certainly has by itself, if packages are missing; by default all errors are. */
	readonly own?: readonly Diagnosis[];
	/** True if only the parts around the trees' differences were checked. */
	readonly isPart?: boolean;
};

/** A running checker; it caches data for the next tree. */
export type Oracle = {
	readonly version: string;
	/**
	Checks a tree.

	@param around The compared trees including itself, their base first.
	@param budget Its limits, if they are not the context's.

	@throws `OverBudget` if they are exceeded, another `Failure` if the checker has no result, or the signal's reason.
	*/
	check(
		tree: string,
		signal: AbortSignal,
		around?: readonly string[],
		budget?: Partial<CheckerBudget>,
	): Promise<Checked>;
	/** Resolves when an aborted check no longer keeps it busy. */
	free?(): Promise<unknown>;
	close(): Promise<void>;
};

/** A project's type checker, used to find breakages between two changes. */
export type OraclePlugin = {
	readonly name: string;
	/** Returns whether it checks a file. */
	serves(path: string): boolean;
	/** True for a command that runs code of the trees: it is used only if there is time, and a failure on one tree says nothing about another. */
	readonly runsTrees?: true;
	/** True if it supports a `CheckerBudget`; others only have a time limit. */
	readonly heedsBudget?: true;
	/** Time limit for a merge, in milliseconds, if it is longer than that of others. */
	readonly patienceMs?: number;
	/** Starts it, until `signal` aborts; `undefined` if it isn't installed. */
	start(context: OracleContext, signal?: AbortSignal): Promise<Oracle | undefined>;
};

/** A line that a side added or removed. */
export type ChangedLine = {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	readonly removed: boolean;
};

/** All lines that a side changed. */
export type ChangedLines = readonly ChangedLine[];

/** Lines that show the cause of an error. */
export type MergedLines = {
	/** Returns a line of the merged tree. */
	at(path: string, line: number): string;
	readonly a: ChangedLines;
	readonly b: ChangedLines;
};

/**
Returns a line of each side for an error that only their merge has.

A side that wrote the error's line shows that. For the other one a checker names no place, so it shows the changed line that shares the most words with the error: usually the declaration that is used wrongly.
*/
export const evidenceFor = (
	trace: Pick<Diagnosis, 'path' | 'line' | 'text'>,
	sides: MergedLines,
): readonly Evidence[] => {
	const wrong = sides.at(trace.path, trace.line).trim();
	const words = wordsOf(trace.text);
	return (['a', 'b'] as const).map(side => {
		const changed = sides[side];
		const own = changed.find(
			({path, text, removed}) => !removed && path === trace.path && text.trim() === wrong,
		);
		const shown = own ?? mostAlike(changed, words);
		return shown === undefined ? {side, path: trace.path} : evidenceOf(side, shown);
	});
};

const evidenceOf = (side: 'a' | 'b', {path, line, text, removed}: ChangedLine): Evidence => ({
	side,
	path,
	line,
	text: text.slice(0, mostCharacters),
	...(removed ? {removed} : {}),
});

const mostCharacters = 500;

const mostAlike = (changed: ChangedLines, words: ReadonlySet<string>): ChangedLine | undefined => {
	const [first, ...others] = changed;
	if (first === undefined) {
		return;
	}

	const shared = ({text}: ChangedLine) => [...wordsOf(text)].filter(word => words.has(word)).length;
	let [best, most] = [first, shared(first)];
	for (const line of others) {
		const count = shared(line);
		if (count > most) {
			[best, most] = [line, count];
		}
	}

	return best;
};

const wordsOf = (text: string): ReadonlySet<string> =>
	new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter(word => !common.has(word)));

/** Words that lines of most languages share. */
const common = new Set(
	'a as async await but class const def export fn for from func function got if import in is let new not number of or pub return string that the this to type var void with'.split(
		' ',
	),
);
