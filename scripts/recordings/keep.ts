import {readdir, readFile, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readRecording, telemetryFile} from '../../src/client/recording.ts';
import {type Resources, shownFile, writeShown} from '../../src/client/resources/shown.ts';
import {decodeLine, encodeLine} from '../../src/journal/codec.ts';
import {writeTexts} from '../write-texts.ts';

/** What is kept of a session, and where. */
export type Kept = {
	/** What stands for the places of the machine that recorded, whose names are nobody's business. */
	readonly places: Readonly<Record<string, string>>;
	/** Path of the journal's first segment. */
	readonly segment: string;
	/** What was shown while it was recorded. */
	readonly shown: Resources;
	/** Folder of the recording; what was in it is replaced. */
	readonly target: string;
};

/** Writes the journal, what was said and printed, and what was shown as a fixture, without the name of any place of this machine. */
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

/** What was written stands under a checksum, so a line that was changed needs a new one. */
const sealed = (line: string): string => {
	// Who asked is a process of the machine that recorded.
	const {crc: _, asker: __, ...value} = JSON.parse(line);
	const text = encodeLine(value);
	const {line: kind} = decodeLine(Buffer.from(text.trimEnd()));
	if (kind !== 'entry' && kind !== 'header') {
		throw new Error(`This is no line of a journal: ${line}`);
	}

	return text;
};

/** Returns the path of the first file below a folder of which it holds. */
export const find = async (folder: string, isIt: (path: string) => boolean): Promise<string> => {
	const names = await readdir(folder, {recursive: true});
	const found = names.find(isIt);
	if (found === undefined) {
		throw new Error(`Nothing like that is in ${folder}.`);
	}

	return join(folder, found);
};
