import {inbox} from '../../rules/inbox.ts';
import {offeredHere} from '../action.ts';
import {stateSpan} from '../formatting/agent-look.ts';
import {open} from '../model/open-item.ts';
import {isAtPlan} from '../model/plan.ts';
import {type Action, type Context, go, type Outcome, only, withNotice} from '../model/view.ts';
import {isHeading} from '../rows/diff-rows.ts';
import {holdsSpread} from '../rows/found.ts';
import {fitted, type Row, ruleRow, span} from '../rows/row.ts';
import {padded} from '../rows/text.ts';
import {keySign} from '../terminal/key-name.ts';
import {bodyOf, scrollTo} from './body.ts';

/** Something that a person can go to or do, by words of it. */
type Entry = {
	/** Stays the same while its name, which tells how it stands, changes. */
	readonly id: string;
	readonly kind: 'item' | 'agent' | 'file' | 'key';
	readonly name: string;
	/** The key that does it as well. */
	readonly key?: string;
	readonly take: (context: Context) => Outcome;
};

/** Returns the palette: what the person can go to or do from where they are, what fits best what they write first. */
export const paletteView = (context: Context, height: number): readonly Row[] => {
	const {columns} = context.view.size;
	const entries = entriesFor(context);
	const room = height - 1;
	const at = indexHere(context, entries);
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), entries.length - room));
	return [
		ruleRow(columns, [span('Go to or do', 'strong'), span(`  ${entries.length}`, 'dim')]),
		...fitted(
			entries.map((entry, index) => entryRow(entry, index === at)),
			room,
			offset,
		),
	];
};

const entryRow = ({kind, name, key = ''}: Entry, isHere: boolean): Row => [
	span(isHere ? '▸ ' : '  ', 'key'),
	span(padded(kind, 7), 'dim'),
	span(padded(key, 5), 'key'),
	span(name, isHere ? 'selected' : 'plain'),
];

/** Goes to or does what the person is at in the palette, which is closed by it. */
export const takeEntry = (context: Context): Outcome => {
	const {view} = context;
	const {dialog} = view;
	const entries = entriesFor(context);
	const entry = entries[indexHere(context, entries)];
	return entry !== undefined
		? entry.take(beneath(context))
		: dialog.kind === 'palette' && dialog.chosen !== undefined
			? only(
					withNotice(
						{...view, dialog: {...dialog, chosen: undefined}},
						'warn',
						'What you were at is gone. Nothing was done; look again.',
					),
				)
			: only(view);
};

/** Returns where the entry stands that the person is at; nowhere, as -1, once it is gone. */
const indexHere = ({view: {dialog}}: Context, entries: readonly Entry[]): number =>
	dialog.kind === 'palette' && dialog.chosen !== undefined
		? entries.findIndex(({id}) => id === dialog.chosen)
		: 0;

/** How it stands where the person was when they opened the palette. */
const beneath = (context: Context): Context => ({
	...context,
	view: {...context.view, dialog: {kind: 'none'}},
});

/** Returns the id of the entry after the one that the person is at, or before it; behind the last comes the first. */
export const entryBeside = (context: Context, by: 1 | -1): string | undefined => {
	const entries = entriesFor(context);
	return entries.at((indexHere(context, entries) + by) % entries.length)?.id;
};

const entriesFor = (context: Context): readonly Entry[] => {
	const {dialog} = context.view;
	const words = dialog.kind === 'palette' ? dialog.draft.text.toLowerCase().split(/\s+/) : [];
	return allEntries(beneath(context))
		.map(entry => ({entry, score: scoreOf(entry.name.toLowerCase(), words)}))
		.filter(({score}) => score > 0)
		.toSorted((one, other) => other.score - one.score)
		.map(({entry}) => entry);
};

/** Returns how well a name fits words, which are its words, or parts or characters of it in their order; 0 where one doesn't. */
const scoreOf = (name: string, words: readonly string[]): number => {
	const scores = words.map(word =>
		name.includes(word) ? atStart(name, word) : Number(holdsSpread(name, word)),
	);
	return Math.min(...scores) === 0 ? 0 : scores.reduce((sum, score) => sum + score, 1);
};

const atStart = (name: string, word: string): number =>
	name.startsWith(word)
		? 4
		: name.split(/[^\p{L}\p{N}]+/u).some(one => one.startsWith(word))
			? 3
			: 2;

/** From the form of a plan nothing leads away but its own keys, so that no word of it is lost. */
const allEntries = (context: Context): readonly Entry[] =>
	isAtPlan(context.view)
		? actionEntries(context)
		: [
				...itemEntries(context),
				...agentEntries(context),
				...actionEntries(context),
				...fileEntries(context),
				...boardEntries(context),
			];

const itemEntries = ({model}: Context): readonly Entry[] =>
	inbox(model.state).map(({id, kind, agent = '', title}) => ({
		id: `item ${id}`,
		kind: 'item',
		name: `${id} ${kind} ${agent} ${title}`,
		take: context => only(open(context, id)),
	}));

const agentEntries = ({model: {state}}: Context): readonly Entry[] =>
	state.agents.map(agent => ({
		id: `agent ${agent.id}`,
		kind: 'agent',
		name: `${agent.id} ${agent.subtask.subtask} ${stateSpan(state, agent).text}`,
		take: ({view}) =>
			only(go({...view, agent: agent.id}, {at: 'agent', agent: agent.id, show: 'words'})),
	}));

const actionEntries = (context: Context): readonly Entry[] =>
	listedIn(context).map(action => entryOf(action, there => there));

/** The palette doesn't lead to itself, and of keys that count none is found by words. */
const listedIn = (context: Context): readonly Action[] =>
	offeredHere(context).filter(({name}) => name !== 'palette' && !/-\d$/.test(name));

/** What can be done on the board can be done from everywhere, where no key of its own does it. */
const boardEntries = (context: Context): readonly Entry[] => {
	const atBoard = ({view, ...rest}: Context): Context => ({...rest, view: go(view, {at: 'board'})});
	const here = listedIn(context).map(({name}) => name);
	return listedIn(atBoard(context))
		.filter(({name}) => !here.includes(name))
		.map(action => ({...entryOf(action, atBoard), key: ''}));
};

const entryOf = (
	{name, label = '', help, keys, whyNot, run}: Action,
	to: (from: Context) => Context,
): Entry => ({
	id: `key ${name}`,
	kind: 'key',
	name: `${label === '' ? '' : `${label}: `}${help}`,
	key: keySign(keys[0] ?? ''),
	take: context => {
		const there = to(context);
		const refused = whyNot?.(there);
		return refused === undefined ? run(there) : only(withNotice(context.view, 'warn', refused));
	},
});

/** The files of the diff that the person is at. */
const fileEntries = (context: Context): readonly Entry[] => {
	const body = bodyOf(context);
	return body.rows.flatMap((row, index): readonly Entry[] =>
		isHeading(row)
			? [
					{
						id: `file ${row.map(({text}) => text).join('')}`,
						kind: 'file',
						name: row.map(({text}) => text).join(''),
						take: ({view}) =>
							only({...view, scroll: scrollTo(view.place, body, Math.min(index, body.last))}),
					},
				]
			: [],
	);
};
