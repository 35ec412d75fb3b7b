import {basename, dirname} from 'node:path';
import {awakeAt, awakeFor, clockAt} from '../../events/deadline.ts';
import type {Environments} from '../../events/plan.ts';
import {asFailure} from '../../lib/failure.ts';
import {elapsedMs} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import {noRecords} from '../../rules/question-record.ts';
import {waitFor} from '../../state/items/question/wait.ts';
import {type ReadDetail, readDetail} from '../activity/account.ts';
import {type Accounts, activitiesOf, maximumLength, withDetails} from '../activity/accounts.ts';
import {followSession, planValues, type ReadEnvironments} from '../follow-session.ts';
import type {EventLine, Model} from '../model.ts';
import {createResources, fetchResource} from '../resources/resources.ts';
import type {Ask} from '../supervisor/request-within.ts';
import {createTails, type Folders, followTail} from '../tails.ts';
import {toldAfter} from '../told.ts';
import {createPublisher, type ModelStore} from './publisher.ts';

export type LiveStoreOptions = {
	readonly journal: string;
	/** Number of the last event known to be in the journal. */
	readonly seq: number;
	readonly environments: ReadEnvironments;
	readonly folders: Folders;
	readonly ask: Ask;
};

const keptEvents = 2000;

/** Opens a store that follows a session's journal and the files beside it; it resolves once the journal is read up to `seq`, or can't be read. */
export const openLiveStore = async ({
	journal,
	seq,
	environments,
	folders,
	ask,
}: LiveStoreOptions): Promise<ModelStore> => {
	const closing = new AbortController();
	let known = noRecords;
	let sets: Environments | undefined;
	let log: readonly EventLine[] = [];
	let trouble: string | undefined;
	const renew = (): void => {
		tails.follow(known.state);
		model = modelNow();
		clock(paceOf(model));
	};

	const publisher = createPublisher(renew);
	const tails = createTails(folders, publisher.touch);
	const accounts = followAccounts(folders.telemetry, publisher.touch);
	const resources = createResources(
		(what, report) => fetchResource(ask, what, report),
		publisher.touch,
	);
	const clock = createClock(publisher.touch);
	const modelNow = (): Model => {
		const checkLog = tails.checkLog();
		return {
			state: known.state,
			questions: known.records,
			log,
			tails: tails.lines(),
			activities: activitiesOf(accounts.all(), tails.ends),
			resources: resources.all(),
			now: new Date().toISOString(),
			mode: {kind: 'live'},
			...defined({checkLog, sets, trouble}),
		};
	};

	let model = modelNow();
	const begun = Promise.withResolvers<void>();
	const follow = async (): Promise<void> => {
		for await (const progress of followSession(journal, closing.signal)) {
			sets = await planValues(progress.state, environments);
			const before = progress.restarted ? noRecords : known;
			const told = toldAfter(progress.events, {before, most: keptEvents});
			known = told.known;
			log = [...(progress.restarted ? [] : log), ...told.lines].slice(-keptEvents);
			publisher.touch();
			settle();
		}
	};

	const settle = (): void => {
		if (known.state.seq >= seq) {
			begun.resolve();
		}
	};

	settle();

	follow().catch((error: unknown) => {
		trouble = asFailure(error).message;
		publisher.touch();
		begun.resolve();
	});
	await begun.promise;
	publisher.flush();
	return {
		model: () => model,
		subscribe: publisher.subscribe,
		flush: publisher.flush,
		want: resources.want,
		close: () => {
			closing.abort();
			tails.close();
			accounts.close();
			clock(undefined);
			publisher.close();
		},
	};
};

/** Maximum number of bytes of telemetry read at the start. */
const maximumBytes = 4 * 1024 * 1024;

/** Follows the telemetry of a session, which may not exist yet. */
const followAccounts = (telemetry: string, onChange: () => void) => {
	const closing = new AbortController();
	const name = basename(telemetry);
	let accounts: Accounts = {};
	let fresh: ReadDetail[] = [];
	followTail({
		folder: dirname(telemetry),
		pick: names => names.filter(other => other === name),
		maximumBytes,
		maximumLength,
		onLine: line => {
			const detail = readDetail(line);
			if (detail !== undefined) {
				fresh.push(detail);
				onChange();
			}
		},
		signal: closing.signal,
		// Unreadable telemetry is not shown; the journal has everything that matters for decisions.
	}).catch(() => {});
	return {
		all: () => {
			if (fresh.length > 0) {
				accounts = withDetails(accounts, fresh);
				fresh = [];
			}

			return accounts;
		},
		close: () => closing.abort(),
	};
};

/** Time for which a duration is shown in seconds, at its start and before its end, in milliseconds. */
const secondsMs = 60_000;

/**
Returns the interval in which the time is published, in milliseconds; nothing while nothing runs.

Durations above a minute are shown in minutes, at the pace of the one that reached a minute last.
*/
export const paceOf = ({
	state,
	activities,
	now,
}: Pick<Model, 'state' | 'activities' | 'now'>): number | undefined => {
	const {agents, items, loginLimits, merge, session} = state;
	const questions = items.filter(item => item.kind === 'question');
	const begun = [
		...agents.flatMap(({turn, state: stage, since}) =>
			turn.phase === 'live'
				? [turn.startedAt]
				: stage === 'SPAWNING'
					? [clockAt(since, state)]
					: [],
		),
		...(merge.phase === 'built' ? [merge.due.at] : []),
		...questions.map(({opened}) => opened),
	];
	if (session === null || session.ended || begun.length + loginLimits.length === 0) {
		return undefined;
	}

	const tools = Object.values(activities).flatMap(({passages}) =>
		passages.slice(-5).flatMap(({passage}) => (passage.kind === 'tool' ? [passage.since] : [])),
	);
	const waits = questions.map(item => waitFor(state, item));
	const left = [
		...waits.map(wait =>
			wait.how === 'until' ? awakeFor(awakeAt(now, state.aheadMs), wait.at) : Infinity,
		),
		...loginLimits.map(({until}) => elapsedMs(now, until)),
	];
	return [...begun, ...tools].some(at => elapsedMs(at, now) < secondsMs) ||
		left.some(ms => ms < 2 * secondsMs)
		? 1000
		: secondsMs;
};

const createClock = (tick: () => void): ((paceMs: number | undefined) => void) => {
	let timer: NodeJS.Timeout | undefined;
	let pace: number | undefined;
	return paceMs => {
		if (paceMs !== pace) {
			clearInterval(timer);
			pace = paceMs;
			timer = paceMs === undefined ? undefined : setInterval(tick, paceMs);
		}
	};
};
