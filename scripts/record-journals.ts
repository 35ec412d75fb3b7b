import {execFile} from 'node:child_process';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {Resource} from '../src/client/model.ts';
import type {Resources} from '../src/client/resources/shown.ts';
import {buildWhenStale} from './fresh.ts';
import {find, keep} from './recordings/keep.ts';
import {lookAt} from './recordings/look.ts';
import type {Decision, Recording} from './recordings/recording.ts';
import {recordings} from './recordings/recordings.ts';
import {isAtRest} from './recordings/rest.ts';
import {writeTexts} from './write-texts.ts';

/*
Records the journals of fixtures/journals with the real program: `node scripts/record-journals.ts [NAME …]`.
*/

const run = promisify(execFile);
const program = join(import.meta.dirname, '../bin/delegate-tui.cjs');
const fixtures = join(import.meta.dirname, '../fixtures/journals');

/** Time limit of a recording, in milliseconds. */
const patienceMs = 180_000;

type Playground = {
	readonly folder: string;
	readonly project: string;
	readonly env: NodeJS.ProcessEnv;
	/** Resources that were shown so far. */
	readonly shown: Record<string, Resource>;
};

const record = async (recording: Recording): Promise<void> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'record-')));
	try {
		const place = await makePlayground(folder, recording);
		const session = delegate(place, 'run', '../plan.yaml', '--headless', '--yes').catch(() => {});
		await act(place, recording, session);
		const {shown} = place;
		const segment = await segmentOf(place);
		await keep({
			places: {[folder]: '/recorded'},
			segment,
			shown,
			target: join(fixtures, recording.name),
		});
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 5});
	}
};

const makePlayground = async (
	folder: string,
	{files, plan, stagger = '2s'}: Recording,
): Promise<Playground> => {
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
	await writeTexts(folder, {
		gitconfig: '[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
		'plan.yaml': plan,
		'.config/delegate-tui/config.yaml': `limits: {stagger: ${stagger}}\n`,
	});
	await writeTexts(project, files);
	await git(place, 'init', '--quiet', '--initial-branch=main');
	await commit(place);
	return place;
};

/** Plays the person until the session has ended. */
const act = async (place: Playground, {person, name}: Recording, session: Promise<unknown>) => {
	let ended = false;
	void session.then(() => {
		ended = true;
	});
	const decisions = [...person];
	const deadline = Date.now() + patienceMs;
	while (!ended) {
		if (Date.now() > deadline) {
			await delegate(place, 'stop').catch(() => {});
			throw new Error(`${name} did not end; left to do: ${JSON.stringify(decisions)}`);
		}

		await actOnce(place, decisions);
		await pause(200);
	}

	if (decisions.length > 0) {
		throw new Error(`${name} ended early; left to do: ${JSON.stringify(decisions)}`);
	}
};

type Shown = {readonly id: string; readonly kind: string; readonly agent?: string};

const actOnce = async (place: Playground, decisions: Decision[]): Promise<void> => {
	const [decision] = decisions;
	const journal = dirname(await segmentOf(place).catch(() => ''));
	if (decision === undefined || journal === '.' || !(await isAtRest(journal))) {
		return;
	}

	const {stdout} = await delegate(place, 'inbox', '--json');
	const items: readonly Shown[] = JSON.parse(stdout).items;
	const item = items.find(
		({kind, agent}) =>
			kind === decision.kind && (decision.agent === undefined || agent === decision.agent),
	);
	if (item !== undefined && (await does(place, item.id, decision))) {
		decisions.shift();
	}
};

const segmentOf = ({folder}: Playground): Promise<string> =>
	find(join(folder, 'state'), path => path.endsWith('000001.ndjson'));

/** Fetches the resources that a screen would have requested, to store them beside the journal; a screen would not have got missing ones, either. */
const look = async (place: Playground, item: string): Promise<Resources> => {
	const segment = await segmentOf(place);
	const socketFile = await find(join(place.folder, 'state'), path => basename(path) === 'socket');
	return lookAt({journal: dirname(segment), socketFile}, item).catch(() => ({}));
};

/** Makes a decision of the recording on an item; returns false if it was refused, to try it again. */
const does = async (place: Playground, item: string, decision: Decision): Promise<boolean> => {
	Object.assign(place.shown, await look(place, item));
	if (decision.commits) {
		await writeTexts(place.project, decision.commits);
		await commit(place);
		return true;
	}

	if (decision.resolves) {
		const sessions = join(place.folder, 'state');
		const found = await find(sessions, name => name.endsWith(join(item, 'files')));
		await writeTexts(found, decision.resolves);
	}

	const words = decision.note === undefined ? [] : ['--note', decision.note];
	const asked =
		decision.choice === 'stop'
			? delegate(place, 'stop')
			: delegate(place, 'answer', item, decision.choice, ...words);
	return asked.then(
		() => true,
		() => false,
	);
};

const commit = async (place: Playground): Promise<void> => {
	await git(place, 'add', '--all', '--', '.', ':!docs');
	await git(place, 'commit', '--quiet', '--message', 'change');
};

const git = ({project, env}: Playground, ...words: readonly string[]) =>
	run('git', [...words], {cwd: project, env});

const delegate = ({project, env}: Playground, ...words: readonly string[]) =>
	run(process.execPath, [program, ...words], {cwd: project, env});

await buildWhenStale();
const wanted = process.argv.slice(2);
for (const recording of recordings) {
	if (wanted.length === 0 || wanted.includes(recording.name)) {
		await record(recording);
		process.stdout.write(`recorded ${recording.name}\n`);
	}
}
