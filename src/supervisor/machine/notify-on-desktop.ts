import {type DesktopNotification, notifyDesktop} from '../../lib/process/desktop-notifier.ts';
import {asOne, isWanted, type Notification, notificationsSince} from '../../rules/notifications.ts';
import type {State} from '../../state/state.ts';

export type DesktopNotifierParts = {
	/** What was believed before this supervisor: nobody is called for that again. */
	readonly state: State;
	readonly now: () => Date;
	/** Told when a notification could not be shown. */
	readonly onTrouble: (error: unknown) => void;
	/** Shows one; the desktop of this process unless given. */
	readonly show?: (notification: DesktopNotification) => Promise<void>;
	/** How long others may come to a first one, in milliseconds. */
	readonly gatherMs?: number;
};

/** Calls the person on their desktop, whether a screen is open or not. */
export type DesktopNotifier = {
	readonly hear: (state: State) => void;
	/** Settles when nothing is being shown any more. */
	readonly close: () => Promise<void>;
};

/** What begins to need a person within a moment is one call: three agents that finish together ring once. */
export const createDesktopNotifier = ({
	state: believed,
	now,
	onTrouble,
	show = one => notifyDesktop(one, process.env),
	gatherMs = 400,
}: DesktopNotifierParts): DesktopNotifier => {
	let last = believed;
	let gathered: readonly Notification[] = [];
	let timer: NodeJS.Timeout | undefined;
	let shown = Promise.resolve();

	const call = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const notification = asOne(gathered);
		gathered = [];
		if (notification !== undefined) {
			// One after the other, so that they are read in the order in which they came.
			shown = shown.then(() => show(notification)).catch(onTrouble);
		}
	};

	return {
		hear: state => {
			const preferences = state.session?.settings.notify;
			const news = notificationsSince(last, state);
			last = state;
			if (preferences?.desktop !== true) {
				return;
			}

			const minute = minuteOf(now());
			gathered = [...gathered, ...news.filter(one => isWanted(preferences, one, minute))];
			if (gathered.length > 0) {
				timer ??= setTimeout(call, gatherMs);
			}
		},
		close: async () => {
			call();
			await shown;
		},
	};
};

const minuteOf = (time: Date): number => time.getHours() * 60 + time.getMinutes();
