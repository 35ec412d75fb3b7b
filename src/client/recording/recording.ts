import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {faultFailure} from '../../journal/fault-failure.ts';
import {readJournal} from '../../journal/read.ts';
import type {Failure} from '../../lib/failure.ts';
import {type Detail, readDetail} from '../activity/detail.ts';
import {type Resources, readShown, shownFile} from '../resources/shown.ts';

/** A session that was recorded: what happened, and the files that lie beside its journal. */
export type Recording = {
	readonly events: readonly Event[];
	/** Why it goes no further, where the journal is damaged behind those events. */
	readonly damage?: Failure;
	/** Content of the files that events tell of, by their paths in the session's folder. */
	readonly files: ReadonlyMap<string, Uint8Array>;
	/** What agents told of themselves besides their words. */
	readonly details: readonly Detail[];
	/** What was shown of it while it was recorded. */
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
