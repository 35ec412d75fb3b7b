import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {Paper} from '../src/client/model.ts';
import {type Papers, shownFile, writeShown} from '../src/client/papers/shown.ts';
import {readRecording, telemetryFile} from '../src/client/recording/recording.ts';
import {decodeLine, encodeLine} from '../src/journal/codec.ts';
import {buildWhenStale} from './fresh.ts';
import {lookAt} from './recordings/look.ts';
import type {Deed, Recording} from './recordings/recording.ts';
import {recordings} from './recordings/recordings.ts';
import {isAtRest} from './recordings/rest.ts';

/*
Records the journals of fixtures/journals with the real program: `node scripts/record-journals.ts [NAME …]`.
*/

const run = promisify(execFile);
const program = join(import.meta.dirname, '../bin/delegate-tui.cjs');
const fixtures = join(import.meta.dirname, '../fixtures/journals');

/** A recording that has not ended by then never will, in milliseconds. */
const patienceMs = 180_000;

type Place = {
	readonly folder: string;
	readonly project: string;
	readonly env: NodeJS.ProcessEnv;
	/** What was shown until now. */
	readonly shown: Record<string, Paper>;
};

const record = async (recording: Recording): Promise<void> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'record-')));
	try {
		const place = await makePlace(folder, recording);
		const session = delegate(place, 'run', '../plan.yaml', '--headless', '--yes').catch(() => {});
		await act(place, recording, session);
		await keep(place, recording.name);
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 5});
	}
};

const makePlace = async (folder: string, {files, plan}: Recording): Promise<Place> => {
	const project = join(folder, 'project');
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		TMPDIR: folder,
		DELEGATE_TUI_STATE: join(folder, 'state'),
		GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
		GIT_CONFIG_NOSYSTEM: '1',
	};
	const place = {folder, project, env, shown: {}};
	await write(folder, {
		gitconfig: '[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
		'plan.yaml': plan,
		// Each has done what it does before the next one starts.
		'.config/delegate-tui/config.yaml': 'limits: {stagger: 2s}\n',
	});
	await write(project, files);
	await git(place, 'init', '--quiet', '--initial-branch=main');
	await commit(place);
	return place;
};

/** Plays the person until the session has ended. */
const act = async (place: Place, {person, name}: Recording, session: Promise<unknown>) => {
	let ended = false;
	void session.then(() => {
		ended = true;
	});
	const deeds = [...person];
	const deadline = Date.now() + patienceMs;
	while (!ended) {
		if (Date.now() > deadline) {
			await delegate(place, 'stop').catch(() => {});
			throw new Error(`${name} did not end; left to do: ${JSON.stringify(deeds)}`);
		}

		await actOnce(place, deeds);
		await pause(200);
	}

	if (deeds.length > 0) {
		throw new Error(`${name} ended early; left to do: ${JSON.stringify(deeds)}`);
	}
};

type Shown = {readonly id: string; readonly kind: string; readonly agent?: string};

const actOnce = async (place: Place, deeds: Deed[]): Promise<void> => {
	const [deed] = deeds;
	const journal = dirname(await segmentOf(place).catch(() => ''));
	if (deed === undefined || journal === '.' || !(await isAtRest(journal))) {
		return;
	}

	const {stdout} = await delegate(place, 'inbox', '--json');
	const items: readonly Shown[] = JSON.parse(stdout).items;
	const item = items.find(
		({kind, agent}) => kind === deed.kind && (deed.agent === undefined || agent === deed.agent),
	);
	if (item !== undefined && (await does(place, item.id, deed))) {
		deeds.shift();
	}
};

const segmentOf = ({folder}: Place): Promise<string> =>
	find(join(folder, 'state'), path => path.endsWith('000001.ndjson'));

/** What a screen would have asked for is kept beside the journal; what is gone by now it would not have got, either. */
const look = async (place: Place, item: string): Promise<Papers> => {
	const segment = await segmentOf(place);
	const socketFile = await find(join(place.folder, 'state'), path => basename(path) === 'socket');
	return lookAt({journal: dirname(segment), socketFile}, item).catch(() => ({}));
};

/** Does what the recording says about an item; false when it was refused, to be tried again. */
const does = async (place: Place, item: string, deed: Deed): Promise<boolean> => {
	Object.assign(place.shown, await look(place, item));
	if (deed.commits) {
		await write(place.project, deed.commits);
		await commit(place);
		return true;
	}

	if (deed.resolves) {
		const sessions = join(place.folder, 'state');
		const found = await find(sessions, name => name.endsWith(join(item, 'files')));
		await write(found, deed.resolves);
	}

	const words = deed.note === undefined ? [] : ['--note', deed.note];
	const asked =
		deed.choice === 'stop'
			? delegate(place, 'stop')
			: delegate(place, 'answer', item, deed.choice, ...words);
	return asked.then(
		() => true,
		() => false,
	);
};

/** Writes the journal, what was said and printed, and what was shown as a fixture, without the name of any folder of this machine. */
const keep = async (place: Place, name: string): Promise<void> => {
	const {folder, shown} = place;
	const segment = await segmentOf(place);
	const nameless = (text: string): string => text.replaceAll(folder, '/recorded');
	const lines = nameless(await readFile(segment, 'utf8')).trimEnd();
	const session = dirname(dirname(segment));
	const {files, details} = await readRecording(session);
	const target = join(fixtures, name);
	await rm(target, {recursive: true, force: true});
	await write(target, {
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

const find = async (folder: string, isIt: (path: string) => boolean): Promise<string> => {
	const names = await readdir(folder, {recursive: true});
	const found = names.find(isIt);
	if (found === undefined) {
		throw new Error(`Nothing like that is in ${folder}.`);
	}

	return join(folder, found);
};

const write = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(root, path)), {recursive: true});
		await writeFile(join(root, path), content);
	}
};

const commit = async (place: Place): Promise<void> => {
	await git(place, 'add', '--all', '--', '.', ':!docs');
	await git(place, 'commit', '--quiet', '--message', 'change');
};

const git = ({project, env}: Place, ...words: readonly string[]) =>
	run('git', [...words], {cwd: project, env});

const delegate = ({project, env}: Place, ...words: readonly string[]) =>
	run(process.execPath, [program, ...words], {cwd: project, env});

await buildWhenStale();
const wanted = process.argv.slice(2);
for (const recording of recordings) {
	if (wanted.length === 0 || wanted.includes(recording.name)) {
		await record(recording);
		process.stdout.write(`recorded ${recording.name}\n`);
	}
}
