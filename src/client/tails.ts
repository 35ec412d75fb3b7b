import {open, readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {wakeOnChange} from '../journal/follow.ts';
import {createLineSplitter} from '../lib/text/lines.ts';
import {commandLogName} from '../state/items/blocker.ts';
import {outcomeCheckName} from '../state/items/conflict/outcome-check.ts';
import {partCheckName} from '../state/merge/attribution.ts';
import type {Merge} from '../state/merge/merge.ts';
import {attributed, checksAtOnce} from '../state/merge/parts.ts';
import {lastResult, type Results} from '../state/merge/publication.ts';
import {emptyState, type State} from '../state/state.ts';
import type {LineEnd} from './activity/account.ts';

/** Folders of a session's growing files. */
export type Folders = {
	/** Folder of an agent's transcripts, one file `<turn>.txt` for each turn. */
	readonly transcripts: (agent: string) => string;
	/** Log of the setup of an agent's worktree. */
	readonly setupLog: (agent: string) => string;
	/** Folder of the checks' output, one file `<number>.log` each. */
	readonly checks: string;
	/** Folder of the output of commands that people ran for agents. */
	readonly commands: string;
	/** File of the agents' telemetry, one JSON object per line. */
	readonly telemetry: string;
};

/** Last lines of a session's growing files, kept outside React, since thousands may come at once. */
export type Tails = {
	/** Follows the files that matter in a state; called for each. */
	readonly follow: (state: State) => void;
	readonly lines: () => Readonly<Record<string, readonly string[]>>;
	/** Returns the ends of an agent's last lines in its transcripts. */
	readonly ends: (agent: string) => readonly LineEnd[];
	/** Returns the path of the last check's whole log, once there is one. */
	readonly checkLog: () => string | undefined;
	readonly close: () => void;
};

type Line = LineEnd & {readonly text: string};

/** Maximum number of lines of each agent, and of the check. */
const kept = 1000;

/** Name of the running check's tail, beside those of agents. */
export const checkTail = 'verify';

/** Returns the name of the tail of an agent's setup. */
export const setupTail = (agent: string): string => `${agent} setup`;

export const createTails = (folders: Folders, onChange: () => void): Tails => {
	const closing = new AbortController();
	const buffers = new Map<string, Line[]>();
	const turns = new Map<string, number>();
	const followed = new Map<string, AbortController>();
	let results: Results = emptyState;
	let checkLog: string | undefined;

	const start = (
		name: string,
		folder: string,
		pick: (names: readonly string[]) => readonly string[],
	) => {
		if (followed.has(name)) {
			return;
		}

		const ending = new AbortController();
		followed.set(name, ending);
		const buffer: Line[] = [];
		buffers.set(name, buffer);
		const onLine = (text: string, {name: file, end}: LinePosition): void => {
			buffer.push({text, turn: Number.parseInt(file, 10), end});
			if (buffer.length > 2 * kept) {
				buffer.splice(0, buffer.length - kept);
			}

			onChange();
		};

		// An unreadable file is not shown; the journal has everything that matters for decisions.
		const signal = AbortSignal.any([closing.signal, ending.signal]);
		followTail({folder, pick, onLine, signal}).catch(() => {});
	};

	const stop = (name: string) => {
		followed.get(name)?.abort();
		followed.delete(name);
		buffers.delete(name);
	};

	return {
		follow: state => {
			const {agents, merge, session} = state;
			for (const agent of agents.filter(({turn}) => turn.phase !== 'none')) {
				turns.set(agent.id, agent.turn.number);
				start(agent.id, folders.transcripts(agent.id), names =>
					transcriptsIn(names, turns.get(agent.id) ?? 0),
				);
			}

			for (const {id, state: stage, turn} of session?.plan.setup.length ? agents : []) {
				if (stage === 'SPAWNING' && turn.phase === 'none') {
					const log = folders.setupLog(id);
					start(setupTail(id), dirname(log), names => names.filter(name => name === basename(log)));
				} else {
					stop(setupTail(id));
				}
			}

			if (isAnotherCheck(results.merge, merge)) {
				buffers.get(checkTail)?.splice(0);
			}

			results = {merge, publications: state.publications};
			for (const name of [...partChecks(state), ...outcomeChecks(state)]) {
				start(name, folders.checks, names => names.filter(file => file === `${name}.log`));
			}

			for (const name of commandLogs(state)) {
				start(name, folders.commands, names => names.filter(file => file === name));
			}

			if (lastResult(results) !== undefined) {
				start(checkTail, folders.checks, names => {
					const name = checkLogIn(names, results);
					checkLog = name === undefined ? checkLog : join(folders.checks, name);
					return name === undefined ? [] : [name];
				});
			}
		},
		checkLog: () => checkLog,
		lines: () =>
			Object.fromEntries(
				[...buffers].map(([name, buffer]) => [name, buffer.slice(-kept).map(({text}) => text)]),
			),
		ends: agent => (buffers.get(agent) ?? []).slice(-kept),
		close: () => closing.abort(),
	};
};

const outcomeChecks = ({items}: State): readonly string[] =>
	items.flatMap(item =>
		item.kind === 'conflict' && item.checking ? [outcomeCheckName(item.checking)] : [],
	);

/** Returns the names of the running partial checks, which are also the names of their tails. */
export const partChecks = (state: State): readonly string[] => {
	const {merge} = state;
	const next = attributed(state)?.next ?? [];
	return merge.phase !== 'verified' || merge.verified.parts === undefined
		? []
		: next
				.slice(0, checksAtOnce(state))
				.map(part => partCheckName(merge.verified.parts?.since ?? 0, part, merge.built.agents));
};

/** Returns the names of the logs of commands for open blockers, which are also the names of their tails. */
const commandLogs = ({items}: State): readonly string[] =>
	items.flatMap(item =>
		item.kind === 'blocker' && item.command !== undefined
			? [commandLogName(item.id, item.command)]
			: [],
	);

/** Returns the names of an agent's transcripts up to a turn, in order. */
export const transcriptsIn = (names: readonly string[], turn: number): readonly string[] =>
	names
		.filter(name => /^\d+\.txt$/.test(name) && Number.parseInt(name, 10) <= turn)
		.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));

/** Returns whether another check runs, so that earlier output is dropped. */
const isAnotherCheck = (before: Merge, now: Merge): boolean =>
	now.phase === 'built' && !(before.phase === 'built' && before.due.seq === now.due.seq);

/** Place of a line. */
type LinePosition = {
	readonly name: string;
	/** Bytes of the file up to the line's end. */
	readonly end: number;
};

export type TailOptions = {
	readonly folder: string;
	/** Returns the files to read among the names in the folder, in this order; the last one grows. */
	readonly pick: (names: readonly string[]) => readonly string[];
	readonly onLine: (line: string, at: LinePosition) => void;
	readonly signal: AbortSignal;
	/** Maximum number of bytes read from the end of a file at the start. */
	readonly maximumBytes?: number;
	/** Maximum length of a line that is passed on in full, in characters. */
	readonly maximumLength?: number;
};

/**
Passes on the last lines of files, then each new one, until the signal aborts.

The folder and the files may not exist yet. An unreadable file is read again when its folder changes.
*/
export const followTail = async (options: TailOptions): Promise<void> => {
	const {folder, pick, signal} = options;
	const wake = wakeOnChange(folder, 1000, signal);
	const readers = new Map<string, Reader>();
	try {
		while (!signal.aborted) {
			const lookedAt = performance.now();
			for (const name of pick(await readdir(folder).catch(() => []))) {
				const reader = readers.get(name) ?? readerOf(name, options);
				readers.set(name, reader);
				await reader.readOn();
			}

			await wake.next();
			const rest = lookedAt + restMs - performance.now();
			if (rest > 0) {
				await wait(rest, undefined, {signal}).catch(() => {});
			}
		}
	} finally {
		wake.close();
	}
};

/** Minimum time between two looks, in milliseconds, so that continuous output is not read line by line. */
const restMs = 50;

type Reader = {readonly readOn: () => Promise<void>};

const readerOf = (
	name: string,
	{folder, onLine, maximumBytes = 128 * 1024, maximumLength = 2000}: TailOptions,
): Reader => {
	let first = 0;
	const lines = createLineSplitter({
		maxLength: maximumLength,
		onLine: (line, _number, _isCut, end) => onLine(line, {name, end: first + end}),
	});
	let offset: number | undefined;
	const readOn = async (): Promise<void> => {
		await using file = await open(join(folder, name)).catch(() => undefined);
		if (file === undefined) {
			return;
		}

		const {size} = await file.stat();
		first = offset === undefined ? Math.max(0, size - maximumBytes) : first;
		offset ??= first;
		while (offset < size) {
			const chunk = new Uint8Array(Math.min(maximumBytes, size - offset));
			const {bytesRead} = await file.read(chunk, 0, chunk.length, offset);
			if (bytesRead === 0) {
				break;
			}

			offset += bytesRead;
			lines.push(chunk.subarray(0, bytesRead));
		}
	};

	return {readOn};
};

/**
Returns the log of the merge's current check, or of the last published one, among the names in the folder of checks; nothing if there is none yet.

The number of a log is that of the last event that its check knew. So a check that is due since an event never writes to a log with a lower number, and the log can be read from its first line on, before the journal mentions it.
*/
export const checkLogIn = (names: readonly string[], state: Results): string | undefined => {
	const result = lastResult(state);
	if (result === undefined) {
		return undefined;
	}

	if ('verified' in result) {
		const path = result.verified.log?.path;
		return names.find(name => path?.endsWith(`/${name}`));
	}

	const {due} = result;
	return names
		.filter(name => /^\d+\.log$/.test(name) && numberOf(name) >= due.seq)
		.sort((one, other) => numberOf(one) - numberOf(other))
		.at(-1);
};

const numberOf = (name: string): number => Number.parseInt(name, 10);
