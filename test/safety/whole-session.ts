import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {z} from 'zod';
import {connect} from '../../src/control/send.ts';
import type {Event} from '../../src/events/event.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {isLocked} from '../../src/journal/lock.ts';
import {defined} from '../../src/lib/values.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import {isEvent} from '../../src/state/apply/apply.ts';
import {itemOf} from '../../src/state/select.ts';
import {repositoryFolder, type SessionFolder} from '../../src/supervisor/folder.ts';
import {type PlanParts, writePlan} from '../helpers/plan-file.ts';
import type {Project} from '../helpers/project.ts';
import {type Waits, waitsOf} from '../helpers/waits.ts';
import {watchJournal} from '../helpers/watch-journal.ts';
import {hasHappened, runCommand, type Start, startWhole} from './start.ts';
import {type Choice, usualChoice} from './usual-choice.ts';

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
	/** What the commands that start a supervisor are given, the first one first; those after the last one are left alone. */
	readonly starts?: readonly Start[];
	/** What the person says to an item. */
	readonly choose?: (item: InboxItem, session: WholeSession) => Choice | Promise<Choice>;
	/** Called again and again while the session runs. */
	readonly disturb?: (session: WholeSession) => void | Promise<void>;
};

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
	const starts = [...(parts.starts ?? [])];
	const home = repositoryFolder(project.state, (await openRepository(project.root)).id);
	const file = writePlan(project, parts.plan);
	const {id, failed} = await startWhole(project, {home, file, starts});
	const folder = home.session(id);
	const lastWords = () => (existsSync(home.log) ? readFileSync(home.log, 'utf8') : '');
	const watch = watchJournal(folder.journal, {limitMs, lastWords});
	const isSupervised = () => isLocked(home.lock);
	const session: WholeSession = {id, folder, isSupervised, waits: waitsOf(watch)};
	const deadline = AbortSignal.timeout(limitMs);
	const acknowledged: Event[] = [];
	let deaths = failed;
	try {
		while (!watch.seen().state.session?.ended) {
			if (deadline.aborted) {
				await watch.until('the end of the session', () => undefined);
			}

			await disturb?.(session);
			const [item] = inbox(watch.seen().state);
			if (!isSupervised() && !(await hasHappened(folder.journal, 'session.ended'))) {
				deaths++;
				await runCommand(project, ['status'], starts.shift());
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

/** Returns the event that the answer became; none when the supervisor died over it, or could not grant it now. */
const tell = async (socket: string, item: InboxItem, choice: Choice): Promise<readonly Event[]> => {
	const {id} = item;
	const despite = item.kind === 'approval' ? item.doubted : undefined;
	const told = {item: id, ...choice, ...defined({despite})};
	try {
		const control = await connect(readFileSync(socket, 'utf8'));
		try {
			const granted = await control.request({do: 'decide', ...told, by: 'user'});
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
