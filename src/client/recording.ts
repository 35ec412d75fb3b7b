import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isEvent} from '../events/decode.ts';
import type {Event} from '../events/event.ts';
import {faultFailure} from '../journal/fault-failure.ts';
import {readJournal} from '../journal/read.ts';
import type {Failure} from '../lib/failure.ts';
import type {Agent} from '../state/agent/agent.ts';
import type {State} from '../state/state.ts';
import {type LineEnd, type ReadDetail, readDetail} from './activity/account.ts';
import {activitiesOf, withDetails} from './activity/accounts.ts';
import type {Model} from './model.ts';
import {type Resources, readShown, shownFile} from './resources/shown.ts';
import {checkLogIn, checkTail, transcriptsIn} from './tails.ts';

/** A session that was recorded: what happened, and the files that lie beside its journal. */
export type Recording = {
	readonly events: readonly Event[];
	/** Why it goes no further, where the journal is damaged behind those events. */
	readonly damage?: Failure;
	/** Content of the files that events tell of, by their paths in the session's folder. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** Activity of agents besides their words. */
	readonly details: readonly ReadDetail[];
	/** Pages that were shown while it was recorded. */
	readonly resources: Resources;
};

/**
Reads the folder of a session as it lies there, of which nothing but the journal must be there; the journal's own folder will do.

Throws a `Failure` of kind `missing` when there is no journal in it.
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

/** Name of the file of a session in which agents tell of themselves besides their words. */
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
Returns the last lines of each agent's words, and what it told besides, as they were at a moment of a recording.

How much of a transcript there was is known where a signal was heard or a detail told, and where the turn ended.
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

/** A place up to which there certainly was something of a transcript. */
type TranscriptPosition = {readonly turn: number; readonly offset: number};

const heard = (past: readonly Event[], agent: string): readonly TranscriptPosition[] =>
	past.flatMap(event => (event.kind === 'signal.said' && event.agent === agent ? [event] : []));

/** Returns an agent's lines; a turn that has ended is complete. */
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

/** Returns the output of the check; of one that runs, only the first command is known. */
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
