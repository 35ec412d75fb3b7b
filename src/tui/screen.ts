import type {Instance} from 'ink';
import type {ModelStore} from '../client/store/publisher.ts';
import type {NotifyPreferences} from '../events/settings.ts';
import {Failure} from '../lib/failure.ts';
import {collectEarly} from '../lib/memory.ts';
import {
	bell,
	clipboardBytes,
	keepTitle,
	notificationBytes,
	notificationWay,
	restoreTitle,
	titleBytes,
} from '../lib/notification-bytes.ts';
import {sanitize} from '../lib/text/sanitize.ts';
import {thisMoment} from '../lib/this-moment.ts';
import {defined} from '../lib/values.ts';
import {clockText} from '../lib/zoned-time.ts';
import {limitTold} from '../rules/effects/model-retry.ts';
import {limitWaitOf} from '../rules/limit-wait.ts';
import {asOne, isWanted, notificationsSince} from '../rules/notifications.ts';
import {isLive} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {AppProps} from './app.tsx';
import type {Colors, ThemeName} from './colors.ts';
import {type ControllerOptions, createController} from './controller.ts';
import {frameOf} from './frame.ts';
import {withKeys} from './keys.ts';
import type {Versions} from './model/view.ts';
import type {Highlight} from './rows/highlighter.ts';
import {
	clear,
	createLentTerminal,
	isLinear,
	laidOutSize,
	type Mouse,
	showFirstFrame,
	stopped,
	type Terminal,
} from './terminal/full-screen.ts';
import {fileAddress, showsHyperlinks} from './terminal/hyperlinks.ts';
import {createImages} from './terminal/images.ts';
import {mouseOf} from './terminal/mouse.ts';
import {hasColors, rowText, themeFor} from './theme.ts';

export type ScreenOptions = Terminal &
	Pick<
		ControllerOptions,
		| 'store'
		| 'ask'
		| 'openCopy'
		| 'visit'
		| 'publish'
		| 'compose'
		| 'form'
		| 'seen'
		| 'keep'
		| 'past'
		| 'hint'
	> & {
		readonly settings: {
			readonly theme: ThemeName;
			readonly colors: Colors;
			/** True if the terminal reports its mouse; a person then selects text with Shift. */
			readonly mouse: boolean;
			/** The person's own keys, by names of actions. */
			readonly keys: Readonly<Record<string, string>>;
		};
		/** Reads an image of a commit; without it, no images are shown. */
		readonly readImage?: Parameters<typeof createImages>[1];
		/** Returns the path of an agent's worktree on this machine; absent for a recording. */
		readonly worktreeOf?: (agent: string) => string;
		/** Prepares to open a file in the person's editor or merge tool, or throws; the returned function needs the terminal until it resolves. */
		readonly edit: (file: string, versions?: Versions) => () => Promise<void>;
		/** Notifications for a person who looks elsewhere; without them there are none. */
		readonly calls?: ScreenNotifications;
	};

/** Refuses everything that needs a running session, with the reason. */
export const withoutSession = (
	why: string,
): Pick<ScreenOptions, 'ask' | 'edit' | 'openCopy' | 'visit' | 'publish' | 'compose'> => {
	const refuse = () => Promise.reject(new Failure('refused', why));
	const edit = () => {
		throw new Failure('refused', why);
	};
	const publish = {offer: refuse, push: refuse};
	return {ask: refuse, edit, openCopy: refuse, visit: refuse, publish, compose: refuse};
};

/**
Shows the screen until the person leaves it, and restores the terminal.

The session does not depend on the screen. Throws its error after the terminal is restored.
*/
export const showScreen = async (options: ScreenOptions): Promise<void> => {
	const {store, calls, output, environment, past, worktreeOf, settings} = options;
	const look = themeFor(settings.theme, environment, settings.colors);
	const images = createImages(options, options.readImage);
	const controller = createController({
		...options,
		images: images.asked,
		table: withKeys(settings.keys),
		size: laidOutSize({columns: output.columns, rows: output.rows}, environment),
		edit: async (file, versions) => lend(options.edit(file, versions)),
		openCopy: async (...words) => lendFor(() => options.openCopy(...words)),
		visit: async (...words) => lendFor(() => options.visit(...words)),
		publish: {
			...options.publish,
			push: async offer => lendFor(() => options.publish.push(offer)),
		},
		suspend: () => void lend(stopped).catch(() => {}),
		// Where the screen is not the alternate one, the shell's lines are above it.
		redraw: () => drawAfter(isLinear(environment) ? '' : clear),
		copy: text => output.write(clipboardBytes(text)),
		onLeave: () => {
			// Images belong to the alternate screen, which Ink leaves.
			mouse.rest();
			instance.unmount();
		},
		...(hasColors(look) ? {loadHighlight} : {}),
		...(worktreeOf !== undefined && showsHyperlinks(environment)
			? {addressOf: agent => fileAddress(worktreeOf(agent))}
			: {}),
		...(past && {
			past: {...past, show: async (...words) => lendFor(() => past.show(...words))},
		}),
	});
	const reports = mouseOf(
		{...options, mouse: settings.mouse, ...defined({query: images.query})},
		controller.take,
	);
	const mouse: Mouse = {
		listen: () => {
			reports.listen();
			images.listen();
		},
		rest: () => {
			images.rest();
			reports.rest();
		},
	};
	const {learn, lend} = createLentTerminal(options, mouse);
	const lendFor = async (use: () => Promise<string>): Promise<string> => {
		let told = '';
		await lend(async () => {
			told = await use();
		});
		return told;
	};
	let stopCalling = (): void => {};
	let drawAfter = (_: string): void => {};
	const stand: AppProps['onStand'] = (suspend, draw) => {
		learn(suspend);
		drawAfter = draw;
		// A signal removes the screen and ends the process before anything else can act.
		return () => stopCalling();
	};
	const first = showFirstFrame(
		options,
		frameOf(controller.context()).map(row => rowText(row, look)),
	);
	let instance: Instance;
	try {
		// React, Yoga and Ink take as long to load as everything before.
		const {openApp} = await import('./app.tsx');
		instance = first.handOver(() => openApp({controller, theme: look, onStand: stand}, options));
	} catch (error) {
		first.putBack();
		throw error;
	}

	collectEarly();
	mouse.listen();

	if (calls !== undefined) {
		stopCalling = notifyFromTerminal({store, preferences: calls, output, environment});
	}

	try {
		await instance.waitUntilExit();
	} finally {
		mouse.rest();
		stopCalling();
		controller.close();
		store.close();
	}
};

const loadHighlight = async (): Promise<Highlight> =>
	(await import('./rows/highlighter.ts')).createHighlight();

/** Ways to notify a person who looks at another window. */
type ScreenNotifications = NotifyPreferences & {
	readonly bell: boolean;
	readonly terminal: boolean;
	readonly title: boolean;
};

type NotifyParts = Pick<Terminal, 'output' | 'environment'> & {
	readonly store: Pick<ModelStore, 'model' | 'subscribe'>;
	readonly preferences: ScreenNotifications;
};

/**
Rings the bell, notifies and sets the title when an item begins to wait; the returned function stops that.

None of these sequences moves the cursor, so they can be written between two frames. Items that wait at the start are on the screen already, so they are only in the title. A recording notifies of nothing.
*/
const notifyFromTerminal = ({
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
		const news = last === undefined ? [] : notificationsSince(last, state);
		last = state;
		const one = asOne(news.filter(notification => isWanted(preferences, notification)));
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
			title = undefined;
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
					: limitTold(limit, clockText(limit.until, thisMoment(state.at)))
				: `${items.length} waiting`;
	return `${standing} · ${task}`;
};
