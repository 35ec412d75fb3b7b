import {isDeepStrictEqual, stripVTControlCharacters} from 'node:util';
import chalk from 'chalk';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Model, Resource} from '../../src/client/model.ts';
import {keyText} from '../../src/client/resources/resources.ts';
import type {Asked} from '../../src/client/supervisor/request-within.ts';
import type {Body} from '../../src/events/event.ts';
import {printShown} from '../../src/rules/by-hand/hunk-lines.ts';
import {itemOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import {actionFor, actionsHere} from '../../src/tui/action.ts';
import {themeNames} from '../../src/tui/colors.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {actions} from '../../src/tui/keys.ts';
import {type ScreenInput, update} from '../../src/tui/model/update.ts';
import type {Context, KeyEffect} from '../../src/tui/model/view.ts';
import {rowText, type Theme, themeFor} from '../../src/tui/theme.ts';
import {agent} from '../helpers/any-parts.ts';
import {words} from '../helpers/words.ts';
import {fuzz} from '../signals/fuzz.ts';
import {aDiff, adding, aSurfaceDiff, having, resourcesOf, shownAs} from './a-screen.ts';
import {aFile, aWork, offer, views} from './views.ts';

const starts = await Promise.all(views.map(async ({open}) => (await open()).context()));

/** Texts that agents and people write: of several lines, wide, from right to left, and such as would steer a terminal. */
const text = fc.constantFrom(
	'x',
	'y\n'.repeat(40),
	'日本語'.repeat(90),
	'👩‍👩‍👧‍👧 é \u202eevil\u2066',
	'\x1b[2J\x1b]0;x\x07\x9b31m\r\b\0',
	'שלום عليكم',
	'/very/long/path'.repeat(40),
	' ',
);

const diff = fc.oneof(
	fc.constantFrom('', aDiff, aSurfaceDiff, adding(300)),
	text.map(line => aDiff.replaceAll('most', line.replaceAll('\n', ' '))),
);

/** What happens while somebody looks at the screen. */
type Happening =
	| {readonly does: 'press'; readonly key: string}
	/** Presses the key of one of the actions that can be done here. */
	| {readonly does: 'act'; readonly number: number}
	| {readonly does: 'take'; readonly input: ScreenInput}
	/** Something happens in the session, of which the screen has been drawn or not when the next key comes. */
	| {readonly does: 'tell'; readonly body: Body; readonly isDrawn: boolean}
	/** One of the items is decided elsewhere. */
	| {readonly does: 'decide'; readonly number: number; readonly isDrawn: boolean}
	/** What was asked for comes, or fails. */
	| {readonly does: 'come'; readonly diff: string | undefined};

const take = (input: fc.Arbitrary<ScreenInput>): fc.Arbitrary<Happening> =>
	input.map(input => ({does: 'take', input}));

const keys = [...new Set(actions.flatMap(({keys}) => keys)), 'é', '日', '👩‍👩‍👧', 'space', 'alt+x'];

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{weight: 6, arbitrary: fc.record({does: fc.constant('act' as const), number: fc.nat(40)})},
	{weight: 4, arbitrary: fc.constantFrom(...keys).map(key => ({does: 'press' as const, key}))},
	{weight: 1, arbitrary: take(text.map(text => ({kind: 'paste', text})))},
	{
		weight: 1,
		arbitrary: take(fc.constantFrom<1 | -1>(1, -1).map(by => ({kind: 'wheel' as const, by}))),
	},
	{
		weight: 1,
		arbitrary: take(
			fc.record({
				kind: fc.constantFrom('click' as const, 'drag' as const),
				row: fc.nat(60),
				column: fc.nat(210),
			}),
		),
	},
	{
		weight: 1,
		arbitrary: take(
			fc.record({
				kind: fc.constant('resize' as const),
				size: fc.record({
					columns: fc.constantFrom(1, 20, 40, 60, 61, 80, 99, 120, 200, 300),
					rows: fc.constantFrom(1, 5, 10, 16, 17, 24, 40, 50, 90),
				}),
			}),
		),
	},
	{
		weight: 1,
		arbitrary: take(
			fc.oneof(
				text.map(text => ({kind: 'granted' as const, text})),
				text.map(text => ({kind: 'refused' as const, text})),
				text.map(text => ({kind: 'failed' as const, text})),
				text.map(trouble => ({kind: 'edited' as const, trouble})),
				fc.constantFrom<ScreenInput>(
					{kind: 'kept'},
					{kind: 'push-offered', offer},
					{kind: 'paused'},
				),
			),
		),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant('tell' as const),
			isDrawn: fc.boolean(),
			body: fc.oneof(
				fc.record({
					kind: fc.constant('signal.said' as const),
					agent,
					turn: fc.constantFrom(1, 2),
					signal: fc.constantFrom(...words),
					offset: fc.nat(),
				}),
				fc.record({
					kind: fc.constant('permission.asked' as const),
					agent,
					turn: fc.constantFrom(1, 2),
					request: fc.constantFrom('1', '2'),
					title: text,
					command: text,
					paths: fc.array(text, {maxLength: 2}),
				}),
				fc.constant<Body>({kind: 'session.ended', status: 'ABORTED', why: 'a person stopped it'}),
			),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant('decide' as const),
			number: fc.nat(9),
			isDrawn: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			does: fc.constant('come' as const),
			diff: fc.option(diff, {nil: undefined}),
		}),
	},
);

/** The actions whose key may ask for each of these; a request that isn't named here decides nothing. */
const deciding: Readonly<Partial<Record<Asked['do'] | KeyEffect['do'], readonly string[]>>> = {
	decide: [
		...['take', 'yes', 'yes-with-that', 'send', 'snooze', 'hunks-done', 'check-outcome'],
		// Of a file without hunks, a side is taken whole.
		...['take-left', 'take-right'],
	],
	answer: ['take', 'yes', 'send', 'snooze'],
	stop: ['yes'],
	// The palette runs what its entry names.
	steer: ['yes', 'send', 'pause-agent', 'resume-agent', 'check-work', 'take-entry'],
	undo: ['yes'],
	push: ['yes'],
	'hand-in': ['yes', 'hand-in-plan', 'hand-in-subtask', 'run-plan'],
};

const itemsIn = (request: Asked): readonly string[] =>
	request.do === 'decide'
		? [request.item]
		: request.do === 'answer'
			? (request.answers as readonly {item: string}[]).map(({item}) => item)
			: [];

/** Fails where an effect was not asked for by a key that means it, or is for an item that was not on the screen as it is. */
const expectMeant = (
	context: Context,
	drawn: State,
	input: ScreenInput,
	effects: readonly KeyEffect[],
): void => {
	const action =
		input.kind === 'key' ? actionFor(context, input.key)?.name : `no key but ${input.kind}`;
	for (const effect of effects) {
		const what = effect.do === 'ask' ? effect.request.do : effect.do;
		expect({what, by: input.kind}).toEqual({what, by: 'key'});
		expect([action, ...(deciding[what] ?? [action ?? ''])].slice(1)).toContain(action);
		for (const id of effect.do === 'ask' ? itemsIn(effect.request) : []) {
			const [now, then] = [context.model.state, drawn].map(state => itemOf(state, id));
			expect({what, id, isAsSeen: isDeepStrictEqual(now, then)}).toEqual({
				what,
				id,
				isAsSeen: true,
			});
		}
	}
};

const {level} = chalk;
beforeAll(() => {
	chalk.level = 3;
});
afterAll(() => {
	chalk.level = level;
});

const unstyled = themeFor('auto', {NO_COLOR: '1'});

const expectWhole = (context: Context, theme: Theme): void => {
	const {columns, rows} = context.view.size;
	const drawn = frameOf(context);
	const frame = drawn.map(row => stripVTControlCharacters(rowText(row, unstyled)));
	expect(drawn.map(row => stripVTControlCharacters(rowText(row, theme)))).toEqual(frame);
	expect(frame).toHaveLength(rows);
	expect(
		frame.filter(
			row => stringWidth(row) > columns || /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]/u.test(row),
		),
	).toEqual([]);
};

/** Returns everything that the screen asks for, as it comes. */
const coming = (context: Context, diff: string | undefined): Model['resources'] => {
	const failed: Resource = {phase: 'failed', why: 'It could not be read.'};
	const resources = resourcesFor(context).map(key => {
		const {of} = key.what;
		const shown =
			diff === undefined
				? failed
				: of === 'hunks' || of === 'parts'
					? shownAs(printShown(of === 'hunks' ? aFile : aWork))
					: (resourcesOf(context, diff)[keyText(key)] ?? failed);
		return [keyText(key), shown] as const;
	});
	return {...context.model.resources, ...Object.fromEntries(resources)};
};

/** Plays what happens on a screen; fails at the first frame that is no frame, and at the first decision that nobody took. */
const play = (start: number, theme: Theme, happenings: readonly Happening[]): void => {
	let context = starts[start] as Context;
	let drawn = context.model.state;
	const learn = (change: Partial<Model>): void => {
		context = {...context, model: {...context.model, ...change}};
	};
	const enter = (input: ScreenInput): void => {
		const {view, effects} = update(context, input);
		expectMeant(context, drawn, input, effects);
		context = {...context, view};
	};
	for (const happening of happenings) {
		const {state} = context.model;
		switch (happening.does) {
			case 'press':
				enter({kind: 'key', key: happening.key});
				break;
			case 'act': {
				const here = actionsHere(context);
				const {keys} = here[happening.number % here.length] ?? {keys: ['esc']};
				enter({kind: 'key', key: keys[0] ?? 'esc'});
				break;
			}

			case 'take':
				enter(happening.input);
				break;
			case 'tell':
				learn({state: having(state, happening.body)});
				break;
			case 'decide': {
				const item = state.items[happening.number]?.id ?? 'q-1';
				learn({state: having(state, {kind: 'user.decided', item, choice: '1', by: 'user'})});
				break;
			}

			case 'come':
				learn({resources: coming(context, happening.diff)});
		}

		if (!('isDrawn' in happening) || happening.isDrawn) {
			expectWhole(context, theme);
			drawn = context.model.state;
		}
	}
};

test('whatever comes from keys, mouse, clipboard, window and session, a frame stays whole, and nothing is decided but by its own key for what was seen', () => {
	const property = fc.property(
		fc.nat(starts.length - 1),
		fc.constantFrom(...themeNames.map(name => themeFor(name, {}))),
		fc.array(happening, {maxLength: 60, size: 'max'}),
		play,
	);
	fuzz('screen', property, 0.06);
});
