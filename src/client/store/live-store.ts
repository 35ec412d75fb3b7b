import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {followBatches} from '../../journal/follow.ts';
import {asFailure} from '../../lib/failure.ts';
import {fold} from '../../state/apply.ts';
import {isLive} from '../../state/select.ts';
import {emptyState, type State} from '../../state/state.ts';
import {followAccounts, tellingsOf} from '../activity/accounts.ts';
import {createTails, type Folders} from '../files/tails.ts';
import type {Model, Told} from '../model.ts';
import {type Ask, createPapers, fetchPaper} from '../papers/papers.ts';
import {createPublisher} from './publisher.ts';
import type {Store} from './store.ts';

export type LiveStoreOptions = {
	readonly journal: string;
	readonly folders: Folders;
	readonly ask: Ask;
	/** Tells an event in one line. */
	readonly describe: (event: Event) => string;
};

/** Events kept for the log. */
const keptEvents = 2000;

/** Follows the journal of a session and all that lies beside it. */
export const createLiveStore = ({journal, folders, ask, describe}: LiveStoreOptions): Store => {
	const closing = new AbortController();
	let state = emptyState;
	let log: readonly Told[] = [];
	let trouble: string | undefined;
	const renew = (): void => {
		tails.follow(state);
		model = modelNow();
		clock(needsClock(state));
	};

	const publisher = createPublisher(renew);
	const tails = createTails(folders, publisher.touch);
	const accounts = followAccounts(folders.telemetry, publisher.touch);
	const papers = createPapers(what => fetchPaper(ask, what), publisher.touch);
	const clock = createClock(publisher.touch);
	const modelNow = (): Model => {
		const checkLog = tails.checkLog();
		return {
			state,
			log,
			tails: tails.lines(),
			tellings: tellingsOf(accounts.all(), tails.ends),
			papers: papers.all(),
			now: new Date().toISOString(),
			mode: {kind: 'live'},
			...(checkLog === undefined ? {} : {checkLog}),
			...(trouble === undefined ? {} : {trouble}),
		};
	};

	let model = modelNow();

	const start = (): void => {
		state = emptyState;
		log = [];
	};

	const follow = async (): Promise<void> => {
		for await (const entries of followBatches(journal, {signal: closing.signal})) {
			const fresh = entries.filter(isEvent);
			state = fold(fresh, state);
			log = [...log, ...fresh.map(event => ({event, text: describe(event)}))].slice(-keptEvents);
			publisher.touch();
		}
	};

	followAnew(follow, start).catch((error: unknown) => {
		trouble = asFailure(error).message;
		publisher.touch();
	});
	return {
		model: () => model,
		subscribe: publisher.subscribe,
		flush: publisher.flush,
		want: papers.want,
		close: () => {
			closing.abort();
			tails.close();
			accounts.close();
			clock(false);
			publisher.close();
		},
	};
};

/** A writer may take back lines that never were safe on the disk; what was read is then read anew, once. */
const followAnew = async (follow: () => Promise<void>, start: () => void): Promise<void> => {
	try {
		await follow();
	} catch (error) {
		if (asFailure(error).kind !== 'refused') {
			throw error;
		}

		start();
		await follow();
	}
};

/** Nothing is drawn while nothing runs: time is told only where somebody looks at it pass. */
const needsClock = ({agents, items, merge, session}: State): boolean =>
	session !== null &&
	session.ended === undefined &&
	(agents.some(isLive) || merge.phase === 'built' || items.some(({kind}) => kind === 'question'));

const createClock = (tick: () => void): ((on: boolean) => void) => {
	let timer: NodeJS.Timeout | undefined;
	return on => {
		if (on) {
			timer ??= setInterval(tick, 1000);
		} else {
			clearInterval(timer);
			timer = undefined;
		}
	};
};
