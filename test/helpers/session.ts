import {existsSync, readFileSync} from 'node:fs';
import {identityOf, isAlive, until} from '../../src/lib/process/processes.ts';
import {repositoryFolder, type SessionFolder} from '../../src/supervisor/folder.ts';
import {expectNobodyLeft} from './nobody-left.ts';
import {type Person, personAt} from './person.ts';
import {type PlanParts, writePlan} from './plan-file.ts';
import {makeProject, type Outcome, type Project} from './project.ts';
import type {Files} from './repository.ts';
import {type EventOf, type Waits, waitsOf} from './waits.ts';
import {type JournalWatch, watchJournal} from './watch-journal.ts';

/** A real session, headless, with the person at another terminal; at its end no process of it may be left. */
export type Session = AsyncDisposable &
	Waits &
	Omit<Person, 'approveResult'> & {
		readonly project: Project;
		readonly id: string;
		readonly folder: SessionFolder;
		/** Approves the result and waits for the end of the session. */
		readonly approve: () => Promise<Ended>;
		/** Waits for the end of the session and of the command that started it. */
		readonly end: () => Promise<Ended>;
		/** Waits until every process of the session is gone. */
		readonly gone: () => Promise<void>;
		/** Kills the supervisor like a crash, without a chance to write anything; resolves when it is gone, which may take a moment on a busy machine. */
		readonly killSupervisor: () => Promise<void>;
	};

/** End of a session, and the exit code of the `run` that started it. */
export type Ended = {readonly code: number; readonly ended: EventOf<'session.ended'>};

/** Default time limit of a story: less than a test's, so that it can report the missing event. */
export const storyMs = 200_000;

/** Starts a session from a plan file, in a new repository or in the given one. */
export const startSession = async (
	plan: PlanParts,
	given: Project | Files = {'readme.md': 'hello\n'},
	{limitMs = storyMs}: {readonly limitMs?: number} = {},
): Promise<Session> => {
	const project = isProject(given) ? given : makeProject(given);
	const {run, id, repository} = await startRun(project, plan, '--headless', '--yes');
	const home = repositoryFolder(project.state, repository.id);
	const folder = home.session(id);
	const watch = watchJournal(folder.journal, {limitMs, lastWords: () => textOf(home.log)});
	const person = personAt({project, socketFile: home.socket, waits: waitsOf(watch)});
	return sessionOf({project, id, folder, watch, person, run: run.ended});
};

/** Starts a session from a plan file, and returns its command once it has begun. */
export const startRun = async (
	project: Project,
	plan: PlanParts,
	...options: readonly string[]
) => {
	const run = project.start('run', writePlan(project, plan), ...options, '--json');
	const line = await run.firstLine;
	if (line === undefined) {
		throw new Error(`The session did not start: ${(await run.ended).stderr}`);
	}

	const {session: id, repository}: EventOf<'session.started'> = JSON.parse(line);
	return {run, id, repository};
};

const isProject = (given: Project | Files): given is Project => typeof given.run === 'function';

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

type Parts = {
	readonly project: Project;
	readonly id: string;
	readonly folder: SessionFolder;
	readonly watch: JournalWatch;
	readonly person: Person;
	readonly run: Promise<Outcome>;
};

const sessionOf = ({project, id, folder, watch, person, run}: Parts): Session => {
	const waits = waitsOf(watch);
	const {approveResult, ...decisions} = person;
	const end = async (): Promise<Ended> => {
		const ended = await waits.event('session.ended');
		return {ended, code: (await run).code};
	};

	return {
		...waits,
		...decisions,
		project,
		id,
		folder,
		approve: async () => {
			await approveResult();
			return end();
		},
		end,
		gone: () => expectNobodyLeft(project, id),
		killSupervisor: async () => {
			const supervisor = identityOf(waits.events('supervisor.started').at(-1)?.pid ?? Number.NaN);
			process.kill(supervisor.pid, 'SIGKILL');
			await until(() => !isAlive(supervisor), storyMs);
		},
		[Symbol.asyncDispose]: async () => {
			if (!waits.state().session?.ended) {
				await project.run('stop');
			}

			await watch.close();
			await expectNobodyLeft(project, id);
		},
	};
};
