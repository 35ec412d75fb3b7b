import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Event} from '../events/event.ts';
import {faultFailure} from '../journal/fault-failure.ts';
import {readJournal} from '../journal/read.ts';
import type {Failure} from '../lib/failure.ts';
import type {Agent} from '../state/agent/agent.ts';
import {isEvent} from '../state/apply/apply.ts';
import type {State} from '../state/state.ts';
import {type LineEnd, type ReadDetail, readDetail} from './activity/account.ts';
import {activitiesOf, withDetails} from './activity/accounts.ts';
import type {Model} from './model.ts';
import {type Resources, readShown, shownFile} from './resources/shown.ts';
import {checkLogIn, checkTail, transcriptsIn} from './tails.ts';

/** A recorded session: its events, and the files beside its journal. */
export type Recording = {
	readonly events: readonly Event[];
	/** Error of the journal after those events, if it is damaged. */
	readonly damage?: Failure;
	/** Contents of the files that events refer to, by their paths in the session's folder. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** Activity of agents besides their words. */
	readonly details: readonly ReadDetail[];
	/** Pages that were shown during the recording. */
	readonly resources: Resources;
};

/**
Reads a session's folder, of which only the journal is required; the journal's own folder works, too.

Throws a `Failure` of kind `missing` if there is no journal in it.
*/
export const readRecording = async (folder: string): Promise<Recording> => {
	const names: readonly string[] = await readdir(folder).catch(() => []);
	const journal = names.includes('journal') ? join(folder, 'journal') : folder;
	const {entries, end} = await readJournal(journal);
	const damage =
		end.kind === 'corrupt' || end.kind === 'unknown-version'
			? {damage: faultFailure(journal, end)}
			: {};
	const folders = ['verify', ...names.map(name => `${name}/transcript`)];
	const files = (await Promise.all(folders.map(name => filesIn(folder, name)))).flat();
	const textOf = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
	return {
		events: entries.filter(isEvent),
		...damage,
		files: new Map(files),
		details: (await textOf(telemetryFile)).split('\n').flatMap(line => readDetail(line) ?? []),
		resources: readShown(await textOf(shownFile)),
	};
};

/** Name of a session's file with the telemetry of its agents. */
export const telemetryFile = 'telemetry.ndjson';

const filesIn = async (
	root: string,
	folder: string,
): Promise<readonly (readonly [string, Uint8Array])[]> => {
	const names = await readdir(join(root, folder)).catch(() => []);
	return Promise.all(
		names
			.filter(name => /\.(?:txt|log)$/.test(name))
			.map(async name => [`${folder}/${name}`, await readFile(join(root, folder, name))] as const),
	);
};

const kept = 1000;

type Line = LineEnd & {readonly text: string};

/**
Returns the last lines of each agent's words, and its other reports, at a moment of a recording.

The length of a transcript is known at each signal and detail, and at the end of the turn.
*/
export const recordedWords = (
	{files, details}: Recording,
	past: readonly Event[],
	state: State,
): Pick<Model, 'tails' | 'activities'> => {
	const known = details.filter(({at}) => at <= state.at);
	const lines = Object.fromEntries(
		state.agents
			.filter(({turn}) => turn.phase !== 'none')
			.map(agent => {
				const positions = [
					...heard(past, agent.id),
					...known.filter(one => one.agent === agent.id),
				];
				return [agent.id, linesOf(files, agent, positions)] as const;
			}),
	);
	const tails = Object.entries(lines).map(([id, said]) => [id, said.map(({text}) => text)]);
	return {
		tails: {...Object.fromEntries(tails), [checkTail]: printed(files, state)},
		activities: activitiesOf(withDetails({}, known), agent => lines[agent] ?? []),
	};
};

/** A known minimum length of a transcript. */
type TranscriptPosition = {readonly turn: number; readonly offset: number};

const heard = (past: readonly Event[], agent: string): readonly TranscriptPosition[] =>
	past.flatMap(event => (event.kind === 'signal.said' && event.agent === agent ? [event] : []));

/** Returns an agent's lines; the transcript of an ended turn is complete. */
const linesOf = (
	files: Recording['files'],
	{id, turn}: Agent,
	positions: readonly TranscriptPosition[],
): readonly Line[] => {
	const folder = `${id}/transcript/`;
	const last = turn.number;
	return transcriptsIn(namesIn(files, folder), last)
		.flatMap(name => {
			const number = Number.parseInt(name, 10);
			const isOver = number < last || turn.phase === 'ended';
			const bytes = isOver
				? undefined
				: Math.max(
						0,
						...positions.map(position => (position.turn === number ? position.offset : 0)),
					);
			return cutLines(files.get(`${folder}${name}`)?.subarray(0, bytes)).map(line => ({
				...line,
				turn: number,
			}));
		})
		.slice(-kept);
};

/** Returns the output of the check; for a running one, only the first command is known. */
const printed = (files: Recording['files'], state: State): readonly string[] => {
	const folder = 'verify/';
	const name = checkLogIn(namesIn(files, folder), state);
	const lines = cutLines(files.get(`${folder}${name}`)).map(({text}) => text);
	return state.merge.phase === 'built' ? lines.slice(0, 1) : lines.slice(-kept);
};

const namesIn = (files: Recording['files'], folder: string): readonly string[] =>
	[...files.keys()].filter(path => path.startsWith(folder)).map(path => path.slice(folder.length));

const cutLines = (bytes: Uint8Array | undefined): readonly Omit<Line, 'turn'>[] => {
	const text = new TextDecoder().decode(bytes);
	const encoder = new TextEncoder();
	let end = 0;
	return text === ''
		? []
		: text
				.trimEnd()
				.split('\n')
				.map(line => {
					end += encoder.encode(line).length + 1;
					return {text: line, end};
				});
};
