import {once} from 'node:events';
import {basename} from 'node:path';
import type {Command} from 'commander';
import type {FoundSession} from '../../client/store/last-session-store.ts';
import type {Asked} from '../../client/supervisor/request-within.ts';
import {isLocked} from '../../journal/lock.ts';
import {Failure} from '../../lib/failure.ts';
import {sessionsOf} from '../../supervisor/folder.ts';
import {readEnvironments} from '../../supervisor/machine/environments.ts';
import {withProgram} from '../agent/with-program.ts';
import {workForPage} from '../agent/work-so-far.ts';
import {tryToWakeSupervisor} from '../awake.ts';
import {findHere, type Here, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';
import {settleConfig} from '../require-config.ts';

export const addWeb = (program: Command): void => {
	program
		.command('web')
		.description('questions in the browser')
		.option('--port <number>', 'where the page is served on this machine; any free port if unset')
		.action(async ({port}: {port?: string}) => {
			const here = await findHere();
			requirePerson(here);
			await serveUntilStopped(here, readPort(port));
		});
};

const readPort = (words: string | undefined): number => {
	const port = Number(words ?? 0);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Failure('usage', `--port needs a number from 0 to 65535, got "${words}".`);
	}

	return port;
};

/** Serves the page until it is stopped; the server's code is loaded only here. */
const serveUntilStopped = async (here: Here, port: number): Promise<void> => {
	const {createLastSessionStore} = await import('../../client/store/last-session-store.ts');
	const {servePage} = await import('../../web/serve-page.ts');
	const {repository, folder} = here;
	const {web} = await settleConfig(here);
	await tryToWakeSupervisor(here, await readLastSession(here));
	const store = createLastSessionStore({
		home: folder.path,
		find: known => findOther(here, known),
		isSupervised: () => isLocked(folder.lock),
	});
	const view = () => ({
		project: basename(repository.root),
		session: store.session(),
		store: folder.store,
		mayDecide: web.approve,
		now: new Date().toISOString(),
	});
	try {
		const ask = async (request: Asked) => askSupervisor(here, await withProgram(here, request));
		const page = await servePage({
			port,
			view,
			subscribe: store.subscribe,
			ask,
			work: agent => workForPage(here, agent),
		});
		print(
			`${page.link}\nOpen this link to ${web.approve ? 'decide all that waits, merges too' : 'answer questions'}. Anyone who has it can do so, so keep it to yourself; Ctrl-C ends it.`,
		);
		await stopped();
		await page.close();
	} finally {
		store.close();
	}
};

/** Finds a session besides the known one; sessions are only listed, and read if there may be another. */
const findOther = async (
	here: Here,
	known: string | undefined,
): Promise<FoundSession | undefined> => {
	const newest = sessionsOf(here.folder).at(-1);
	if (newest === known) {
		return undefined;
	}

	const session = await readLastSession(here);
	return session === undefined || session.id === known
		? undefined
		: {
				id: session.id,
				journal: session.folder.journal,
				environments: state => readEnvironments(session.folder.environments, state),
			};
};

const stopped = (): Promise<unknown> =>
	Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal)));
