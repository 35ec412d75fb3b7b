import type {Store} from '../../client/store/store.ts';
import type {NotifyPreferences} from '../../events/notify-preferences.ts';
import {
	bell,
	keepTitle,
	notificationBytes,
	notificationWay,
	restoreTitle,
	titleBytes,
} from '../../lib/terminal/notification-bytes.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {clockText} from '../../lib/zoned-time.ts';
import {limitWaitOf} from '../../rules/limit-wait.ts';
import {asOne, isWanted, notificationsSince} from '../../rules/notifications.ts';
import {isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Terminal} from './full-screen.ts';

/** How a screen calls the person who looks at another window. */
export type ScreenNotifications = NotifyPreferences & {
	readonly bell: boolean;
	readonly terminal: boolean;
	readonly title: boolean;
};

export type NotifyParts = Pick<Terminal, 'output' | 'environment'> & {
	readonly store: Pick<Store, 'model' | 'subscribe'>;
	readonly preferences: ScreenNotifications;
};

/**
Rings, notifies and sets the title as things begin to wait, until what it returns is called.

Nothing of it moves the cursor, so it can be written between two frames. What waits when the screen is opened is on the screen already, and only in the title. A recording calls nobody.
*/
export const notifyFromTerminal = ({
	store,
	preferences,
	output,
	environment,
}: NotifyParts): (() => void) => {
	const way = preferences.terminal ? notificationWay(environment) : undefined;
	let last: State | undefined;
	let title: string | undefined;

	const setTitle = (state: State): void => {
		const next = titleOf(state);
		if (preferences.title && next !== title) {
			output.write(`${title === undefined ? keepTitle : ''}${titleBytes(next)}`);
			title = next;
		}
	};

	const look = (): void => {
		const {state, mode} = store.model();
		if (mode.kind === 'replay' || state.session === null) {
			return;
		}

		setTitle(state);
		const time = new Date();
		const minute = time.getHours() * 60 + time.getMinutes();
		const news = last === undefined ? [] : notificationsSince(last, state);
		last = state;
		const one = asOne(news.filter(notification => isWanted(preferences, notification, minute)));
		if (one !== undefined) {
			output.write(
				`${way === undefined ? '' : notificationBytes(way, one, environment)}${preferences.bell ? bell : ''}`,
			);
		}
	};

	look();
	const unsubscribe = store.subscribe(look);
	return () => {
		unsubscribe();
		if (title !== undefined) {
			output.write(restoreTitle);
		}
	};
};

const titleOf = (state: State): string => {
	const {session, items, agents} = state;
	const [limit] = agents.some(isLive) ? [] : agents.flatMap(one => limitWaitOf(state, one) ?? []);
	const task = sanitize(session?.plan.task ?? '');
	const standing =
		session?.ended !== undefined
			? 'ended'
			: items.length === 0
				? limit === undefined
					? 'delegate-tui'
					: `${limit.title}, until ${clockText(limit.until, thisMoment(state.at))}`
				: `${items.length} waiting`;
	return `${standing} · ${task}`;
};
