import {render} from 'ink-testing-library';
import {createElement} from 'react';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Model} from '../../src/client/model.ts';
import type {ModelStore} from '../../src/client/store/publisher.ts';
import type {Ask} from '../../src/client/supervisor/request-within.ts';
import type {State} from '../../src/state/state.ts';
import {App} from '../../src/tui/app.tsx';
import {createController} from '../../src/tui/controller.ts';
import {withKeys} from '../../src/tui/keys.ts';
import {themeFor} from '../../src/tui/theme.ts';
import {having, whenFirst} from './a-screen.ts';

/** A store that knows what it is told. */
const storeOf = (model: Model): ModelStore & {readonly learn: (change: Partial<Model>) => void} => {
	const listeners = new Set<() => void>();
	let known = model;
	return {
		model: () => known,
		subscribe: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		flush: () => {},
		want: () => {},
		close: () => {},
		learn: change => {
			known = {...known, ...change};
			for (const listener of listeners) {
				listener();
			}
		},
	};
};

const nobody: Ask = () => Promise.reject(new Error('nobody'));

const control = async (ask: Ask = nobody, given = whenFirst('check-fails', 'approval')) => {
	const known = await given;
	const store = storeOf({
		...known,
		resources: {},
		activities: {},
		questions: [],
		now: known.state.at,
		mode: {kind: 'live'},
	});
	let left = false;
	const controller = createController({
		store,
		table: withKeys({}),
		size: {columns: 100, rows: 24},
		ask,
		edit: async () => {},
		openCopy: async () => '',
		suspend: () => {},
		redraw: () => {},
		copy: () => {},
		visit: async () => '',
		publish: {
			offer: async () => Promise.reject(new Error('Nothing is pushed.')),
			push: async () => '',
		},
		compose: () => Promise.reject(new Error('no form')),
		onLeave: () => {
			left = true;
		},
	});
	return {store, controller, left: () => left};
};

const start = async (ask?: Ask) => {
	const {store, controller, left} = await control(ask);
	const app = render(
		createElement(App, {
			controller,
			theme: themeFor('dark', {NO_COLOR: '1'}),
			environment: {},
			onStand: () => {},
		}),
	);
	onTestFinished(app.unmount);
	// Ink listens for keys once its effects have run.
	await expect.poll(() => app.stdin.listenerCount('readable')).toBeGreaterThan(0);
	const shows = (text: string) => expect.poll(() => app.lastFrame()).toContain(text);
	return {shows, store, app, left};
};

test('what is typed reaches the supervisor, and what it answers reaches the person', async () => {
	const asked: unknown[] = [];
	const {app, shows} = await start(async request => {
		asked.push(request);
		throw new Error('main has moved');
	});
	app.stdin.write('\r');
	await shows('Merge exactly this result');
	app.stdin.write('y');
	await shows('Its diff was not on the screen. Merge it with that?');
	app.stdin.write('Y');
	await shows('main has moved a-1 still waits for you.');
	expect(asked).toEqual([{do: 'decide', item: 'a-1', choice: 'approve', by: 'user'}]);
});

test('a frame follows what the store learns', async () => {
	const {shows, store} = await start();
	const {state} = store.model();
	store.learn({
		state: having(state, {kind: 'session.ended', status: 'ABORTED', why: 'a person stopped it'}),
	});
	await shows('The session has ended: a person stopped it');
});

test('Ctrl-C leaves, also while somebody is asked whether they mean it', async () => {
	const {app, shows, left} = await start();
	app.stdin.write('X');
	await shows('End the session?');
	app.stdin.write('\u0003');
	await expect.poll(left).toBe(true);
});

test('a notice of what was done goes by itself, without a newer one; of what was not, or of a key, with the next key', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const {controller} = await control();
	const notice = () => controller.context().view.notice?.text;
	controller.take({kind: 'granted', text: 'the first'});
	vi.advanceTimersByTime(7999);
	controller.take({kind: 'granted', text: 'the second'});
	vi.advanceTimersByTime(7999);
	expect(notice()).toBe('the second');
	vi.advanceTimersByTime(1);
	expect(notice()).toBeUndefined();

	const told = () => {
		vi.advanceTimersByTime(3_600_000);
		return notice();
	};
	controller.take({kind: 'refused', text: 'main has moved'});
	expect(told()).toBe('main has moved');
	controller.take({kind: 'key', key: 'X'});
	controller.take({kind: 'key', key: 'enter'});
	expect(told()).toContain('y is yes');
	controller.take({kind: 'key', key: 'n'});
	expect(notice()).toBeUndefined();
});

test('an approval that doubts hold up is not told as given, and stays on the screen', async () => {
	const doubts = ['Conflict markers remain in src/limit.js.'];
	const {controller, store} = await control(async () => ({event: {choice: 'approve', doubts}}));
	const {state} = store.model();
	const built = 'built' in state.merge ? {...state.merge.built, notes: doubts} : undefined;
	store.learn({state: {...state, merge: {...state.merge, built} as State['merge']}});
	for (const key of ['enter', 'y', 'Y']) {
		controller.take({kind: 'key', key});
	}

	await expect
		.poll(() => controller.context().view.notice)
		.toMatchObject({
			tone: 'bad',
			text: 'a-1 stays open: Conflict markers remain in src/limit.js. Nothing is merged yet: choose approve again to merge it anyway.',
		});
	expect(controller.context().view.place).toMatchObject({at: 'item', item: 'a-1'});
});

test('what is written at an item since is there when an earlier decision on it is granted', async () => {
	const granting = Promise.withResolvers<unknown>();
	const {controller} = await control(
		() => granting.promise,
		whenFirst('blockers-and-requests', 'blocker'),
	);
	for (const key of ['enter', 'x', 'l', 's', 'enter', 'enter', 's', 'tab', 'n', 'o']) {
		controller.take({kind: 'key', key});
	}

	granting.resolve({event: {}});
	await expect.poll(() => controller.context().view.notice?.tone).toBe('good');
	expect(controller.context().view).toMatchObject({
		place: {at: 'item', item: 'b-1'},
		dialog: {kind: 'note', choice: 'skip', draft: {text: 'no'}},
	});
});
