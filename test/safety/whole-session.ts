import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {z} from 'zod';
import {connect} from '../../src/control/send.ts';
import {isEvent} from '../../src/events/decode.ts';
import type {Event} from '../../src/events/event.ts';
import {openRepository} from '../../src/git/repository.ts';
import {isLocked} from '../../src/journal/lock.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import {itemOf} from '../../src/state/select.ts';
import {lastSession, repositoryFolder, type SessionFolder} from '../../src/supervisor/folder.ts';
import {type PlanParts, writePlan} from '../helpers/plan-file.ts';
import {type Project, program} from '../helpers/project.ts';
import {type Waits, waitsOf} from '../helpers/waits.ts';
import {watchJournal} from '../helpers/watch-journal.ts';

/** A session that is brought to its end, whoever dies meanwhile. */
export type WholeSession = {
	readonly id: string;
	readonly folder: SessionFolder;
	readonly waits: Waits;
	/** Whether a supervisor lives. */
	readonly isSupervised: () => boolean;
};

export type WholeSessionParts = {
	readonly project: Project;
	readonly plan: PlanParts;
	/** Where the supervisors die, the first one first; those after the last one live. */
	readonly failpoints?: readonly string[];
	/** What the person says to an item. */
	readonly choose?: (item: InboxItem, session: WholeSession) => Choice | Promise<Choice>;
	/** Called again and again while the session runs. */
	readonly disturb?: (session: WholeSession) => void;
};

export type Choice = {readonly choice: string; readonly note?: string};

/** What is left of a session when it is over, for a look at what was promised. */
export type WholeEnd = {
	readonly id: string;
	readonly folder: SessionFolder;
	/** All events, as somebody read them who followed the journal from its beginning. */
	readonly seen: readonly Event[];
	/** Events that a command was answered with. */
	readonly acknowledged: readonly Event[];
	/** How often no supervisor was there although the session had not ended. */
	readonly deaths: number;
};

/** How long a session may take, in milliseconds. */
const limitMs = 120_000;

/** How often to look, in milliseconds: nothing announces the end of a process that is not our child. */
const lookMs = 30;

/**
Runs a session to its end, with a person who decides everything that waits.

Whenever no supervisor is there, the next command is what a person would type, and it has to heal the session.
*/
export const runWhole = async (parts: WholeSessionParts): Promise<WholeEnd> => {
	const {project, disturb, choose = usualChoice} = parts;
	const points = [...(parts.failpoints ?? [])];
	const {id: repository} = await openRepository(project.root);
	const home = repositoryFolder(project.state, repository);
	const isSupervised = () => isLocked(home.lock);
	const acknowledged: Event[] = [];
	let deaths = 0;

	while (!(await hasBegun(home))) {
		const point = points.shift();
		const file = writePlan(project, parts.plan);
		const outcome = await begin({project, file, point, hasBegun: () => hasBegun(home)});
		deaths += (await hasBegun(home)) ? 0 : 1;
		if (point === undefined && !(await hasBegun(home))) {
			throw new Error(`The session did not begin: ${outcome}`);
		}
	}

	const id = (await lastSession(home)) ?? '';
	const folder = home.session(id);
	const lastWords = () => (existsSync(home.log) ? readFileSync(home.log, 'utf8') : '');
	const watch = watchJournal(folder.journal, {limitMs, lastWords});
	const session: WholeSession = {id, folder, isSupervised, waits: waitsOf(watch)};
	const deadline = AbortSignal.timeout(limitMs);
	try {
		while (!watch.seen().state.session?.ended) {
			if (deadline.aborted) {
				await watch.until('the end of the session', () => undefined);
			}

			disturb?.(session);
			const [item] = inbox(watch.seen().state);
			if (!isSupervised()) {
				deaths++;
				await run(project, ['status'], points.shift());
			} else if (item !== undefined) {
				acknowledged.push(...(await tell(home.socket, item, await choose(item, session))));
				await decided(session, item);
			} else {
				await wait(lookMs);
			}
		}

		return {id, folder, acknowledged, deaths, seen: watch.seen().events};
	} finally {
		await watch.close();
	}
};

type Home = ReturnType<typeof repositoryFolder>;

/** A folder that a supervisor made before it died holds no session yet. */
const hasBegun = async (home: Home): Promise<boolean> => {
	const id = await lastSession(home);
	const segment = id === undefined ? '' : `${home.session(id).journal}/000001.ndjson`;
	return existsSync(segment) && readFileSync(segment, 'utf8').includes('"session.started"');
};

type Beginning = {
	readonly project: Project;
	readonly file: string;
	readonly point: string | undefined;
	readonly hasBegun: () => Promise<boolean>;
};

/** Starts a session and goes away, so that nobody but the person's next command brings a supervisor back. */
const begin = async ({project, file, point, hasBegun}: Beginning): Promise<string> => {
	const child = run(project, ['run', file, '--headless', '--yes', '--json'], point);
	const ended = child.then(() => true);
	while (!(await hasBegun()) && !(await Promise.race([ended, wait(lookMs)]))) {
		// The journal says when.
	}

	child.kill('SIGKILL');
	return (await child).stderr;
};

const run = (project: Project, words: readonly string[], point: string | undefined) =>
	execa(process.execPath, [program, ...words], {
		cwd: project.root,
		env: {
			...project.environment,
			...(point === undefined ? {} : {DELEGATE_TUI_FAILPOINT: point}),
		},
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
	});

/** Returns the event that the answer became; none when the supervisor died over it, or could not grant it now. */
const tell = async (socket: string, {id}: InboxItem, choice: Choice): Promise<readonly Event[]> => {
	try {
		const control = await connect(readFileSync(socket, 'utf8'));
		try {
			const granted = await control.request({do: 'decide', item: id, ...choice, by: 'user'});
			return eventsOf(granted);
		} finally {
			control.close();
		}
	} catch {
		return [];
	}
};

const eventsOf = (answer: unknown): readonly Event[] => {
	const {data} = granted.safeParse(answer);
	return data !== undefined && isEvent(data.event) ? [data.event] : [];
};

const granted = z.object({event: z.looseObject({seq: z.number(), kind: z.string()})});

/** Gives the journal a moment to tell what a decision came to, so that it is not taken again. */
const decided = async ({waits}: WholeSession, {id}: InboxItem): Promise<void> => {
	for (let looks = 0; looks < 10 && itemOf(waits.state(), id) !== undefined; looks++) {
		await wait(lookMs);
	}
};

const wanted: Readonly<Partial<Record<InboxItem['kind'], string>>> = {
	review: 'merge',
	approval: 'approve',
	conflict: 'choose-one',
	permission: 'once',
	failure: 'retry',
	blocker: 'resolved',
	checkpoint: 'continue',
	verify: 'retry',
	scope: 'refuse',
	limit: 'extend',
};

/** What a person takes who wants the work merged; the first option of what an agent asks. */
export const usualChoice = ({kind, choices}: InboxItem): Choice => {
	const offered = choices
		.filter(({choice, whyNot}) => whyNot === undefined && choice !== 'snooze')
		.map(({choice}) => choice);
	const wish = wanted[kind];
	return {
		choice: offered.find(choice => choice === wish) ?? offered[0] ?? '8080',
		...(wish === 'refuse' ? {note: 'no'} : {}),
	};
};
