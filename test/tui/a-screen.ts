import {join} from 'node:path';
import {renderToString} from 'ink';
import {createElement} from 'react';
import type {Model, Resource} from '../../src/client/model.ts';
import {keyText} from '../../src/client/resources/resources.ts';
import {checkTail} from '../../src/client/tails.ts';
import {toldAfter} from '../../src/client/told.ts';
import type {Body, Event} from '../../src/events/event.ts';
import type {SurfaceChange} from '../../src/events/finding.ts';
import {readJournal} from '../../src/journal/read.ts';
import {later} from '../../src/lib/text/duration.ts';
import {defined} from '../../src/lib/values.ts';
import {shownItems} from '../../src/rules/inbox.ts';
import type {ListedFile} from '../../src/rules/listed-file.ts';
import {apply, fold, isEvent} from '../../src/state/apply/apply.ts';
import {agentOfItem, type Item} from '../../src/state/item.ts';
import {agentOf} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {Frame} from '../../src/tui/app.tsx';
import {type PlanStart, resourcesFor} from '../../src/tui/controller.ts';
import {withKeys} from '../../src/tui/keys.ts';
import {toForm} from '../../src/tui/model/plan.ts';
import {grantOf, type ScreenInput, update} from '../../src/tui/model/update.ts';
import {type Context, type KeyEffect, startView} from '../../src/tui/model/view.ts';
import {readDiff} from '../../src/tui/rows/diff.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {type Theme, themeFor} from '../../src/tui/theme.ts';

export const small: Size = {columns: 80, rows: 24};
export const large: Size = {columns: 200, rows: 50};

/** The screen without a terminal: what is known, where the person is, and the frame that comes of both. */
export type TestScreen = {
	readonly context: () => Context;
	/** Presses keys by their names. */
	readonly press: (...keys: readonly string[]) => void;
	/** Types text character by character. */
	readonly type: (text: string) => void;
	readonly take: (input: ScreenInput) => void;
	/** Lets events happen meanwhile. */
	readonly happens: (...bodies: readonly Body[]) => void;
	/** Lets anything else become known meanwhile. */
	readonly learn: (change: Partial<Model>) => void;
	readonly frame: () => string;
	/** What was asked for outside the screen, in order. */
	readonly effects: () => readonly KeyEffect[];
	/** The same, of the supervisor by its requests alone. */
	readonly asked: () => readonly object[];
	readonly notice: () => string | undefined;
};

/** Returns how keys are pressed, and text is typed, where they are taken one by one. */
export const keyboard = (take: (key: string) => void): Pick<TestScreen, 'press' | 'type'> => ({
	press: (...keys) => keys.forEach(take),
	type: text => {
		for (const character of text) {
			take(character === ' ' ? 'space' : character);
		}
	},
});

const unstyled = themeFor('auto', {NO_COLOR: '1'});

/** Opens a screen on what is known. */
export const openScreen = (
	given: Partial<Model> & {readonly state: State},
	{size = small, theme = unstyled, form}: {size?: Size; theme?: Theme; form?: PlanStart} = {},
): TestScreen => {
	const {state} = given;
	let model: Model = {
		log: [],
		tails: {},
		activities: {},
		questions: [],
		resources: {},
		now: state.at,
		mode: {kind: 'live'},
		...given,
	};
	const start = startView(size);
	let view = form === undefined ? start : toForm(start, form.desk, form.composition);
	const effects: KeyEffect[] = [];
	const context = (): Context => ({model, view, table: withKeys({})});
	const take = (input: ScreenInput): void => {
		const outcome = update(context(), input);
		view = outcome.view;
		effects.push(...outcome.effects);
	};

	return {
		context,
		...keyboard(key => take({kind: 'key', key})),
		take,
		happens: (...bodies) => {
			model = {...model, state: bodies.reduce(having, model.state)};
		},
		learn: change => {
			model = {...model, ...change};
		},
		frame: () =>
			renderToString(createElement(Frame, {context: context(), theme}), {
				columns: view.size.columns,
			}),
		effects: () => effects,
		asked: () =>
			effects.flatMap((effect): readonly object[] =>
				effect.do === 'ask' ? [effect.request] : [effect],
			),
		notice: () => view.notice?.text,
	};
};

/** Lets the supervisor grant what was asked for last. */
export const grant = (screen: TestScreen): void => {
	const effect = screen.effects().findLast(effect => effect.do === 'ask');
	if (effect !== undefined) {
		screen.take(grantOf(effect));
	}
};

const journals = join(import.meta.dirname, '../../fixtures/journals');

/** Reads the events of a recorded session. */
export const recorded = async (name: string): Promise<readonly Event[]> => {
	const {entries} = await readJournal(join(journals, name));
	return entries.filter(isEvent);
};

/** Returns what was known of a recorded session, as it would be with other events, when the first thing of a kind waited for the person. */
export const whenFirst = async (
	name: string,
	kind: Item['kind'],
	found: (event: Event) => Event = event => event,
): Promise<Pick<Model, 'state' | 'log' | 'tails'>> => {
	const events = (await recorded(name)).map(found);
	let state = emptyState;
	for (const [index, event] of events.entries()) {
		state = apply(state, event);
		if (shownItems(state).some(item => item.kind === kind)) {
			return knownOf(events.slice(0, index + 1));
		}
	}

	throw new Error(`Nothing of kind ${kind} ever waits in ${name}.`);
};

/** Returns what was known of a recorded session right after its first event of a kind. */
export const knownAfter = async (
	name: string,
	kind: Event['kind'],
): Promise<Pick<Model, 'state' | 'log' | 'tails'>> => {
	const events = await recorded(name);
	return knownOf(events.slice(0, events.findIndex(event => event.kind === kind) + 1));
};

/** How a recording is looked at that stands still. */
export const replay = {
	kind: 'replay',
	playing: false,
	position: 9,
	length: 9,
	speed: 1,
} as const satisfies Model['mode'];

/** Returns what was known of a recorded session when a check began, some seconds into it, and what it had printed. */
export const whileChecked = async (
	name: string,
	printed: readonly string[],
): Promise<Pick<Model, 'state' | 'log' | 'tails' | 'now'>> => {
	const known = await knownAfter(name, 'merge.built');
	return {
		...known,
		tails: {...known.tails, [checkTail]: printed},
		now: later(known.state.at, 12_000),
	};
};

/** Returns what is known after these events; what the agents said besides is made up. */
export const knownOf = (events: readonly Event[]): Pick<Model, 'state' | 'log' | 'tails'> => {
	const {known, lines} = toldAfter(events);
	const {state} = known;
	return {
		state,
		log: lines,
		tails: Object.fromEntries(
			state.agents.map(({id}) => [id, [`${id} reads the files`, `${id} changes a line`]]),
		),
	};
};

/** Opens a screen on what is known, and goes to its first open item of a kind. */
export const openAt = (kind: Item['kind'], ...given: Parameters<typeof openScreen>): TestScreen => {
	const screen = openScreen(...given);
	openItem(screen, kind);
	return screen;
};

/** Goes to the first open item of a kind by the inbox, as a person would. */
export const openItem = (screen: TestScreen, kind: Item['kind']): void => {
	const index = screen.context().model.state.items.findIndex(item => item.kind === kind);
	screen.press('i', ...Array.from({length: index}, () => 'down'), 'enter');
};

/** Returns the state after one more thing has happened. */
export const having = (state: State, body: Body): State =>
	apply(state, {...body, seq: state.seq + 1, at: state.at});

/** Returns the resources that a screen asks for: the same diff everywhere, and the lists of its files, with those that it leaves out. */
export const resourcesOf = (
	context: Context,
	diff: string,
	leftOut: readonly ListedFile[] = [],
): Readonly<Record<string, Resource>> => {
	const resource = shownAs(diff);
	const list = shownAs([...filesOf(diff), ...leftOut].map(file => JSON.stringify(file)).join('\n'));
	return Object.fromEntries(
		resourcesFor(context).map(key => [keyText(key), key.what.of === 'files' ? list : resource]),
	);
};

/** Returns the files of a diff, as git lists them. */
export const filesOf = (diff: string): readonly ListedFile[] =>
	readDiff(diff).map(({path, remark, added, removed}) =>
		listed(path, {
			...defined({from: /^renamed from (.+)/.exec(remark ?? '')?.[1]}),
			status: remark === 'new file' ? 'A' : remark === 'deleted' ? 'D' : 'M',
			...(remark === 'not text' ? {added: null, removed: null} : {added, removed}),
		}),
	);

/** Returns a file as git lists it. */
export const listed = (path: string, file: Partial<ListedFile> = {}): ListedFile => ({
	path,
	status: 'M',
	modes: ['100644', '100644'],
	added: 1,
	removed: 0,
	shown: true,
	...file,
});

/** Returns a resource that is this text, as the supervisor shows it. */
export const shownAs = (text: string): Extract<Resource, {phase: 'ready'}> => {
	const lines = text.split('\n');
	return {phase: 'ready', lines, total: lines.length};
};

/** Lets the diffs that a screen asks for come, and scrolls through all there is to see, as a careful person would. */
export const readThrough = (screen: TestScreen, diff: string): void => {
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	for (let body = bodyOf(screen.context()); body.offset < body.last; ) {
		screen.press('pageDown');
		body = bodyOf(screen.context());
	}

	screen.press('home');
};

/** A diff of two files, one changed and one new. */
export const aDiff = `diff --git a/src/limit.js b/src/limit.js
index 1111111..2222222 100644
--- a/src/limit.js
+++ b/src/limit.js
@@ -1,4 +1,5 @@
 export const limit = requests => {
-	const most = 10;
+	const most = 100;
+	const burst = 20;
 	return requests > most;
 };
diff --git a/src/new.js b/src/new.js
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/src/new.js
@@ -0,0 +1 @@
+export const fresh = true;
`;

/** Returns a diff that adds so many lines to one file. */
export const adding = (lines: number): string =>
	[
		'diff --git a/src/a.js b/src/a.js',
		'index 1111111..2222222 100644',
		'--- a/src/a.js',
		'+++ b/src/a.js',
		`@@ -0,0 +1,${lines} @@`,
		...Array.from({length: lines}, (_, index) => `+line ${index}`),
		'',
	].join('\n');

/** What a work brings that runs by itself, and a link, as the supervisor tells it. */
export const aSurface: readonly SurfaceChange[] = [
	{path: '.husky/pre-commit', as: 'runs', what: 'git and its hooks'},
	{path: 'package.json', as: 'runs', what: 'packages and scripts of Node.js'},
	{path: 'src/shared', as: 'link', what: '../lib/shared'},
];

/** The diff of such a work, in the order in which the supervisor shows it. */
export const aSurfaceDiff = `diff --git a/.husky/pre-commit b/.husky/pre-commit
new file mode 100755
index 0000000..3333333
--- /dev/null
+++ b/.husky/pre-commit
@@ -0,0 +1 @@
+npm test
diff --git a/package.json b/package.json
index 1111111..2222222 100644
--- a/package.json
+++ b/package.json
@@ -1 +1 @@
-{"name": "orders"}
+{"name": "orders", "scripts": {"test": "node --test"}}
diff --git a/src/shared b/src/shared
new file mode 120000
index 0000000..4444444
--- /dev/null
+++ b/src/shared
@@ -0,0 +1 @@
+../lib/shared
\\ No newline at end of file
${aDiff}`;

/** Returns what was known when the first item of a kind waited, with a snapshot, had work and result brought such changes. */
export const withSurface = async (
	kind: 'review' | 'checkpoint' | 'approval',
	surface: readonly SurfaceChange[] = aSurface,
): Promise<Pick<Model, 'state' | 'log' | 'tails'>> => {
	const name = kind === 'approval' ? 'check-fails' : 'questions-and-checkpoints';
	const events = (await recorded(name)).map(event =>
		event.kind === 'merge.built' || event.kind === 'snapshot.taken' ? {...event, surface} : event,
	);
	const end = events.findIndex((_, index) => {
		const state = fold(events.slice(0, index + 1));
		const item = state.items.find(one => one.kind === kind);
		const agent = item && agentOf(state, agentOfItem(item) ?? '');
		return item !== undefined && agent?.snapshots.length !== 0;
	});
	return knownOf(events.slice(0, end + 1));
};
