import {spawn} from 'node:child_process';
import {mkdir, open, readFile} from 'node:fs/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {type Control, connect} from '../control/send.ts';
import {errorCode} from '../lib/disk-failure.ts';
import {Failure} from '../lib/failure.ts';
import {type Here, isActive, type LastSession} from './here.ts';
import {version} from './version.ts';

/** How long a new supervisor may take to answer, in milliseconds. */
const patienceMs = 20_000;

/** Returns a connection to the repository's supervisor, starting one when there is none. */
export const reachSupervisor = async (here: Here): Promise<Control> => {
	const control = (await tryConnect(here)) ?? (await startAndConnect(here));
	const {hello} = control;
	if (hello.version !== version) {
		control.close();
		throw new Failure(
			'refused',
			`The supervisor of this session is delegate-tui ${hello.version}, this is ${version}.`,
			{hint: 'use that version to decide, or end the session with it; reading works with both'},
		);
	}

	return control;
};

/** Starts the supervisor of an active session again if it is gone, so that whatever command comes next heals it. */
export const wakeSupervisor = async (
	here: Here,
	session: LastSession | undefined,
): Promise<void> => {
	if (isActive(session)) {
		const control = (await tryConnect(here)) ?? (await startAndConnect(here));
		control.close();
	}
};

/** Asks the supervisor one thing. */
export const askSupervisor = async (
	here: Here,
	request: Record<string, unknown>,
): Promise<unknown> => {
	const control = await reachSupervisor(here);
	try {
		return await control.request(request);
	} finally {
		control.close();
	}
};

const tryConnect = async ({folder}: Here): Promise<Control | undefined> => {
	try {
		return await connect(await readFile(folder.socket, 'utf8'));
	} catch (error) {
		if (errorCode(error) === 'ENOENT' || (error instanceof Failure && error.kind === 'missing')) {
			return undefined;
		}

		throw error;
	}
};

const startAndConnect = async (here: Here): Promise<Control> => {
	const child = await startSupervisor(here);
	const deadline = performance.now() + patienceMs;
	while (performance.now() < deadline) {
		const control = await tryConnect(here);
		if (control) {
			return control;
		}

		if (child.exitCode !== null && child.exitCode !== 0) {
			break;
		}

		await wait(30);
	}

	throw new Failure('internal', `The supervisor did not start: ${await lastWords(here)}`, {
		hint: `see ${here.folder.log}`,
	});
};

/** It leads a session of its own and writes to a file, so nothing that happens to this terminal reaches it. */
const startSupervisor = async (here: Here) => {
	await mkdir(here.folder.path, {recursive: true, mode: 0o700});
	const log = await open(here.folder.log, 'a', 0o600);
	try {
		const child = spawn(process.execPath, [process.argv[1] ?? '', 'supervise'], {
			cwd: here.repository.root,
			detached: true,
			stdio: ['ignore', log.fd, log.fd],
		});
		child.unref();
		return child;
	} finally {
		await log.close();
	}
};

const lastWords = async ({folder}: Here): Promise<string> => {
	const log = await readFile(folder.log, 'utf8').catch(() => '');
	return log.trimEnd().split('\n').at(-1) || 'it said nothing';
};
