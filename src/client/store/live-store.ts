import type {Environments} from '../../events/plan.ts';
import {asFailure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {learned, noRecords} from '../../rules/questions/record.ts';
import {isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {activitiesOf, followAccounts} from '../activity/accounts.ts';
import {followSession, planValues, type ReadEnvironments} from '../follow-session.ts';
import type {EventLine, Model} from '../model.ts';
import {createResources, fetchResource} from '../resources/resources.ts';
import type {Ask} from '../supervisor/request-within.ts';
import {createTails, type Folders} from '../tails.ts';
import {eventText} from '../texts/event-text.ts';
import {createPublisher, type Store} from './publisher.ts';

export type LiveStoreOptions = {
	readonly journal: string;
	readonly environments: ReadEnvironments;
	readonly folders: Folders;
	readonly ask: Ask;
};

/** Events kept for the log. */
const keptEvents = 2000;

/** Follows the journal of a session and all that lies beside it. */
export const createLiveStore = ({journal, environments, folders, ask}: LiveStoreOptions): Store => {
	const closing = new AbortController();
	let known = noRecords;
	let sets: Environments | undefined;
	let log: readonly EventLine[] = [];
	let trouble: string | undefined;
	const renew = (): void => {
		tails.follow(known.state);
		model = modelNow();
		clock(needsClock(known.state));
	};

	const publisher = createPublisher(renew);
	const tails = createTails(folders, publisher.touch);
	const accounts = followAccounts(folders.telemetry, publisher.touch);
	const resources = createResources(what => fetchResource(ask, what), publisher.touch);
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

	const follow = async (): Promise<void> => {
		for await (const progress of followSession(journal, closing.signal)) {
			sets = await planValues(progress.state, environments);
			known = learned(progress.events, progress.restarted ? noRecords : known);
			const told = progress.events.map(event => ({event, text: eventText(event)}));
			log = [...(progress.restarted ? [] : log), ...told].slice(-keptEvents);
			publisher.touch();
		}
	};

	follow().catch((error: unknown) => {
		trouble = asFailure(error).message;
		publisher.touch();
	});
	return {
		model: () => model,
		subscribe: publisher.subscribe,
		flush: publisher.flush,
		want: resources.want,
		close: () => {
			closing.abort();
			tails.close();
			accounts.close();
			clock(false);
			publisher.close();
		},
	};
};

/** Nothing is drawn while nothing runs: time is told only where somebody looks at it pass. */
const needsClock = ({agents, items, loginLimits, merge, session}: State): boolean =>
	session !== null &&
	session.ended === undefined &&
	(loginLimits.length > 0 ||
		agents.some(isLive) ||
		merge.phase === 'built' ||
		items.some(({kind}) => kind === 'question'));

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
