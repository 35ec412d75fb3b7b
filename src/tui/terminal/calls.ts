import type {Store} from '../../client/store/store.ts';
import type {NotifyWishes} from '../../events/notify-wishes.ts';
import {
	bell,
	keepTitle,
	notificationBytes,
	notificationWay,
	restoreTitle,
	titleBytes,
} from '../../lib/terminal/notification-bytes.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {asOne, isWanted, notificationsSince} from '../../rules/notifications.ts';
import type {State} from '../../state/state.ts';
import type {Terminal} from './full-screen.ts';

/** How a screen calls the person who looks at another window. */
export type ScreenCalls = NotifyWishes & {
	readonly bell: boolean;
	readonly terminal: boolean;
	readonly title: boolean;
};

export type CallsParts = Pick<Terminal, 'output' | 'environment'> & {
	readonly store: Pick<Store, 'model' | 'subscribe'>;
	readonly wishes: ScreenCalls;
	readonly now?: () => Date;
};

/**
Rings, notifies and sets the title as things begin to wait, until what it returns is called.

Nothing of it moves the cursor, so it can be written between two frames. What waits when the screen is opened is on the screen already, and only in the title. A recording calls nobody.
*/
export const callFromTerminal = ({
	store,
	wishes,
	output,
	environment,
	now = () => new Date(),
}: CallsParts): (() => void) => {
	const way = wishes.terminal ? notificationWay(environment) : undefined;
	let last: State | undefined;
	let title: string | undefined;

	const setTitle = (state: State): void => {
		const next = titleOf(state);
		if (wishes.title && next !== title) {
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
		const time = now();
		const minute = time.getHours() * 60 + time.getMinutes();
		const news = last === undefined ? [] : notificationsSince(last, state);
		last = state;
		const one = asOne(news.filter(notification => isWanted(wishes, notification, minute)));
		if (one !== undefined) {
			output.write(
				`${way === undefined ? '' : notificationBytes(way, one, environment)}${wishes.bell ? bell : ''}`,
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

const titleOf = ({session, items}: State): string => {
	const task = sanitize(session?.plan.task ?? '');
	const standing =
		session?.ended !== undefined
			? 'ended'
			: items.length === 0
				? 'delegate-tui'
				: `${items.length} waiting`;
	return `${standing} · ${task}`;
};
