import {readdir, readFile, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readRecording, telemetryFile} from '../../src/client/recording.ts';
import {type Resources, shownFile, writeShown} from '../../src/client/resources/shown.ts';
import {decodeLine, encodeLine} from '../../src/journal/codec.ts';
import {writeTexts} from '../write-texts.ts';

/** Parts of a session to store, and their target. */
export type Kept = {
	/** Replacements for paths of the recording machine, which are private. */
	readonly places: Readonly<Record<string, string>>;
	/** Path of the journal's first segment. */
	readonly segment: string;
	/** Resources that were shown during the recording. */
	readonly shown: Resources;
	/** Folder of the recording, whose content is replaced. */
	readonly target: string;
};

/** Writes the journal, the transcripts and output, and the shown resources as a fixture, without paths of this machine. */
export const keep = async ({places, segment, shown, target}: Kept): Promise<void> => {
	const nameless = (text: string): string =>
		Object.entries(places).reduce((named, [place, name]) => named.replaceAll(place, name), text);
	const lines = nameless(await readFile(segment, 'utf8')).trimEnd();
	const session = dirname(dirname(segment));
	const {files, details} = await readRecording(session);
	await rm(target, {recursive: true, force: true});
	await writeTexts(target, {
		'000001.ndjson': lines.split('\n').map(sealed).join(''),
		[shownFile]: nameless(writeShown(shown)),
		...(details.length === 0
			? {}
			: {[telemetryFile]: nameless(await readFile(join(session, telemetryFile), 'utf8'))}),
		...Object.fromEntries(
			[...files].map(([path, bytes]) => [path, nameless(new TextDecoder().decode(bytes))]),
		),
	});
};

/** Returns a line with a new checksum, since it was changed. */
const sealed = (line: string): string => {
	// The asker is a process of the recording machine.
	const {crc: _, asker: __, ...value} = JSON.parse(line);
	const text = encodeLine(value);
	const {line: kind} = decodeLine(Buffer.from(text.trimEnd()));
	if (kind !== 'entry' && kind !== 'header') {
		throw new Error(`This is no line of a journal: ${line}`);
	}

	return text;
};

/** Returns the path of the first file below a folder that matches. */
export const find = async (folder: string, isIt: (path: string) => boolean): Promise<string> => {
	const names = await readdir(folder, {recursive: true});
	const found = names.find(isIt);
	if (found === undefined) {
		throw new Error(`Nothing like that is in ${folder}.`);
	}

	return join(folder, found);
};
