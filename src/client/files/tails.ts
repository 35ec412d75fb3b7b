import {join} from 'node:path';
import {commandLogName} from '../../state/items/blocker/command.ts';
import {outcomeCheckName} from '../../state/items/conflict/outcome-check.ts';
import {partCheckName} from '../../state/merge/attribution.ts';
import type {Merge} from '../../state/merge/merge.ts';
import {attributed, checksAtOnce} from '../../state/merge/parts.ts';
import {lastResult, type Results} from '../../state/merge/publication.ts';
import {emptyState, type State} from '../../state/state.ts';
import type {LineEnd} from '../activity/place-passages.ts';
import {checkLogIn} from './check-log.ts';
import {followTail, type LinePosition} from './tail.ts';

/** Where a session's growing files lie. */
export type Folders = {
	/** Folder of an agent's words, one file `<turn>.txt` for each turn. */
	readonly transcripts: (agent: string) => string;
	/** Folder of the checks' output, one file `<number>.log` each. */
	readonly checks: string;
	/** Folder of the output of commands that people had run for agents. */
	readonly commands: string;
	/** What agents tell of themselves besides their words, one JSON object a line. */
	readonly telemetry: string;
};

/** The last lines of all files of a session that grow; kept outside React, since they may come by the thousand. */
export type Tails = {
	/** Follows what is of interest in a state; called for each. */
	readonly follow: (state: State) => void;
	readonly lines: () => Readonly<Record<string, readonly string[]>>;
	/** Returns where in an agent's transcripts each of its last lines ends. */
	readonly ends: (agent: string) => readonly LineEnd[];
	/** Where the whole log of the last check lies, once there is one. */
	readonly checkLog: () => string | undefined;
	readonly close: () => void;
};

type Line = LineEnd & {readonly text: string};

/** Lines kept of each agent, and of the check. */
const kept = 1000;

/** Name of the tail of the running check, beside those of agents. */
export const checkTail = 'verify';

export const createTails = (folders: Folders, onChange: () => void): Tails => {
	const closing = new AbortController();
	const buffers = new Map<string, Line[]>();
	const turns = new Map<string, number>();
	const followed = new Set<string>();
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

		followed.add(name);
		const buffer: Line[] = [];
		buffers.set(name, buffer);
		const onLine = (text: string, {name: file, end}: LinePosition): void => {
			buffer.push({text, turn: Number.parseInt(file, 10), end});
			if (buffer.length > 2 * kept) {
				buffer.splice(0, buffer.length - kept);
			}

			onChange();
		};

		// What can't be followed is not shown; the journal tells all that decides anything.
		followTail({folder, pick, onLine, signal: closing.signal}).catch(() => {});
	};

	return {
		follow: state => {
			const {agents, merge} = state;
			for (const agent of agents.filter(({turn}) => turn.phase !== 'none')) {
				turns.set(agent.id, agent.turn.number);
				start(agent.id, folders.transcripts(agent.id), names =>
					transcriptsIn(names, turns.get(agent.id) ?? 0),
				);
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

/** Returns the names of the checks of parts that are under way; each is also that of its tail. */
export const partChecks = (state: State): readonly string[] => {
	const {merge} = state;
	const next = attributed(state)?.next ?? [];
	return merge.phase !== 'verified' || merge.verified.parts === undefined
		? []
		: next
				.slice(0, checksAtOnce(state))
				.map(part => partCheckName(merge.verified.parts?.since ?? 0, part, merge.built.agents));
};

/** Returns the names of the logs of commands that were run for what blocks agents now; each is also that of its tail. */
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

/** What the check before printed is not this one's. */
const isAnotherCheck = (before: Merge, now: Merge): boolean =>
	now.phase === 'built' && !(before.phase === 'built' && before.due.seq === now.due.seq);
