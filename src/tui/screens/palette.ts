import type {ListedConversation} from '../../events/listed-conversation.ts';
import {counted} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';
import {packagePrefix} from '../../lib/workspace.ts';
import {inbox} from '../../rules/inbox.ts';
import {itemOf} from '../../state/select.ts';
import {offeredHere} from '../action.ts';
import {stateSpan} from '../formatting/agent-look.ts';
import {open} from '../model/open-item.ts';
import {fieldAt, inForm, isAtPlan, type PlanView, writeHere} from '../model/plan.ts';
import {
	type Action,
	type Context,
	composing,
	type Outcome,
	openPlace,
	type PlanPlace,
	type View,
	withNotice,
} from '../model/view.ts';
import {withText} from '../plan/composition.ts';
import type {Desk} from '../plan/desk.ts';
import {type Field, knownFields} from '../plan/fields.ts';
import {isInScope, type ScopePath, scopePaths, turnedInScope} from '../plan/scope-paths.ts';
import type {FilePart} from '../rows/diff-layout.ts';
import {holdsSpread} from '../rows/found.ts';
import {fitted, type Row, row, ruleRow, span, textOfRow} from '../rows/row.ts';
import {padded} from '../rows/text.ts';
import {keySign} from '../terminal/key-name.ts';
import {bodyOf, headingsIn, scrollTo} from './body.ts';
import {hasDiff, itemDiff} from './item-layout.ts';
import {filesIn, shownWorkKey} from './items/work/work.ts';

/** An entry of the palette: a place to go to or an action. */
type Entry = {
	/** Stable id, while the name changes with the entry's state. */
	readonly id: string;
	readonly kind: 'item' | 'agent' | 'file' | 'folder' | 'package' | 'key' | 'session' | 'talk';
	readonly name: string;
	readonly files?: number;
	readonly key?: string;
	readonly take: (context: Context) => Outcome;
};

/** Returns the palette: places and actions from here, the best match for the written words first. */
export const paletteView = (context: Context, height: number): readonly Row[] => {
	const {columns} = context.view.size;
	const entries = entriesFor(context);
	const room = height - 1;
	const at = indexHere(context, entries);
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), entries.length - room));
	return [
		ruleRow(columns, [span(titleOf(context.view), 'strong'), span(`  ${entries.length}`, 'dim')]),
		...fitted(
			entries.length === 0
				? [row('  Nothing has this name; Esc goes back.', 'dim')]
				: entries
						.slice(offset, offset + room)
						.map((entry, index) => entryRow(context.view, entry, offset + index === at)),
			room,
		),
	];
};

/** A field into which a person picks a value, and whether they have written search words. */
type Picking = {
	readonly of: 'files' | 'conversations';
	readonly place: PlanPlace;
	readonly field: Field;
	readonly hasWords: boolean;
};

const pickingIn = (view: View): Picking | undefined => {
	const {dialog} = view;
	return dialog.kind === 'palette' && dialog.of !== 'all' && isAtPlan(view)
		? {
				of: dialog.of,
				place: view.place,
				field: fieldAt(view.place),
				hasWords: dialog.draft.text.trim() !== '',
			}
		: undefined;
};

const titleOf = (view: View): string => {
	const {place, field} = pickingIn(view) ?? {};
	return place === undefined || field?.agent === undefined
		? 'Go to or do'
		: `${place.composition.subtasks[field.agent]?.id}: ${knownFields[field.part].label}`;
};

const entryRow = (view: View, {kind, name, key = '', files}: Entry, isHere: boolean): Row => {
	const picking = pickingIn(view);
	const isTaken =
		picking?.of === 'files' && isInScope(picking.place.composition, picking.field, name);
	return [
		span(isHere ? '▸ ' : '  ', 'key'),
		span(padded(kind, 8), 'dim'),
		span(padded(isTaken ? '✓' : key, 5), 'key'),
		span(name, isHere ? 'selected' : 'plain'),
		...(files === undefined ? [] : [span(`  ${counted(files, 'file')}`, 'dim')]),
	];
};

/** Opens the selected entry or does its action, and closes the palette. */
export const takeEntry = (context: Context): Outcome => {
	const {view} = context;
	const {dialog} = view;
	const entries = entriesFor(context);
	const entry = entries[indexHere(context, entries)];
	return entry !== undefined
		? entry.take(beneath(context))
		: dialog.kind === 'palette' && dialog.chosen !== undefined
			? withNotice(
					{...view, dialog: {...dialog, chosen: undefined}},
					'warn',
					'The selected entry is gone. Nothing was done; look again.',
				)
			: view;
};

/** Returns the index of the selected entry; -1 once it is gone. */
const indexHere = ({view: {dialog}}: Context, entries: readonly Entry[]): number =>
	dialog.kind === 'palette' && dialog.chosen !== undefined
		? entries.findIndex(({id}) => id === dialog.chosen)
		: 0;

/** Returns the context below the palette. */
const beneath = (context: Context): Context => ({
	...context,
	view: {...context.view, dialog: {kind: 'none'}},
});

/** Returns the id of the next or previous entry; after the last one comes the first. */
export const entryBeside = (context: Context, by: 1 | -1): string | undefined => {
	const entries = entriesFor(context);
	return entries.at((indexHere(context, entries) + by) % entries.length)?.id;
};

const entriesFor = (context: Context): readonly Entry[] => {
	const {dialog} = context.view;
	const text = dialog.kind === 'palette' ? dialog.draft.text.toLowerCase() : '';
	return matching(allEntries(context), text);
};

/** Each frame and each key need the matching entries; a tree of files stays the same list. */
const matching = oncePer((all: readonly Entry[], text: string): readonly Entry[] => {
	const words = text.split(/\s+/);
	return all
		.map(entry => ({entry, score: scoreOf(searched(entry), words)}))
		.filter(({score}) => score > 0)
		.toSorted((one, other) => other.score - one.score)
		.map(({entry}) => entry);
});

/** Returns the text that is searched for an entry's words: its name, and for a session its kind, which the name lacks. */
const searched = ({kind, name}: Entry): string =>
	(kind === 'session' ? `${name} ${kind}` : name).toLowerCase();

/** Returns the score of a name for words: whole words, parts, or characters in order; 0 if a word doesn't match. */
const scoreOf = (name: string, words: readonly string[]): number => {
	const scores = words.map(word =>
		name.includes(word) ? atStart(name, word) : Number(holdsSpread(name, word)),
	);
	return Math.min(...scores) === 0 ? 0 : scores.reduce((sum, score) => sum + score, 1);
};

const atStart = (name: string, word: string): number =>
	name.startsWith(word) ? 4 : beginsInside(name, word) ? 3 : 2;

const beginsInside = (name: string, word: string): boolean => {
	let at = name.indexOf(word, 1);
	while (at > 0 && /[\p{L}\p{N}]/u.test(name.charAt(at - 1))) {
		at = name.indexOf(word, at + 1);
	}

	return at > 0;
};

const allEntries = (context: Context): readonly Entry[] => {
	const picking = pickingIn(context.view);
	switch (picking?.of) {
		case undefined:
			return entriesBeneath(beneath(context));
		case 'files':
			return pathEntries(picking);
		case 'conversations':
			return (picking.place.listed ?? []).map(conversationEntry);
	}
};

const conversationEntry = ({id, title, updatedAt = ''}: ListedConversation): Entry => ({
	id,
	kind: 'talk',
	name: `${updatedAt.slice(0, 16).replace('T', ' ')}  ${title}  ${id}`.trim(),
	take: ({view}) =>
		isAtPlan(view)
			? writeHere(
					inForm(view, {
						composition: withText(view.place.composition, fieldAt(view.place), id),
					}),
				)
			: view,
});

/** Returns the paths to pick from; without search words only folders, as a readable tree. */
const pathEntries = ({place: {desk}, hasWords}: Picking): readonly Entry[] => {
	const tree = treeOf(desk.files, desk.packages);
	return hasWords ? tree.all : tree.folders;
};

const treeOf = oncePer((files: Desk['files'], packages: Desk['packages']) => {
	const all = scopePaths({files, packages}).map(
		(path: ScopePath): Entry => ({
			...path,
			id: path.name,
			kind:
				path.files === undefined
					? 'file'
					: path.name.startsWith(packagePrefix)
						? 'package'
						: 'folder',
			take: ({view}) => (isAtPlan(view) ? withPath(view, path.name) : view),
		}),
	);
	return {all, folders: all.filter(({kind}) => kind !== 'file')};
});

const withPath = (view: PlanView, name: string): View => {
	const {composition} = view.place;
	const turned = turnedInScope(composition, fieldAt(view.place), name);
	return writeHere(inForm(view, {composition: turned}));
};

/** Returns the entries below the palette; in the form of a plan only its own actions, so that none of its text is lost. */
const entriesBeneath = (context: Context): readonly Entry[] =>
	isAtPlan(context.view)
		? [...actionEntries(context), ...sessionEntries(context)]
		: [
				...itemEntries(context),
				...agentEntries(context),
				...actionEntries(context),
				...fileEntries(context),
				...boardEntries(context),
				...sessionEntries(context),
			];

const itemEntries = ({model}: Context): readonly Entry[] =>
	inbox(model.state).map(({id, kind, agent = '', title}) => ({
		id: `item ${id}`,
		kind: 'item',
		name: `${id} ${kind} ${agent} ${title}`,
		take: context => open(context, id),
	}));

const agentEntries = ({model: {state}}: Context): readonly Entry[] =>
	state.agents.map(agent => ({
		id: `agent ${agent.id}`,
		kind: 'agent',
		name: `${agent.id} ${agent.subtask.subtask} ${stateSpan(state, agent).text}`,
		take: ({view}) =>
			openPlace({...view, agent: agent.id}, {at: 'agent', agent: agent.id, show: 'words'}),
	}));

const actionEntries = (context: Context): readonly Entry[] =>
	listedIn(context).map(action => entryOf(action, there => there));

/** Returns the actions to list, without the palette itself and numbered keys, which are not found by words. */
const listedIn = (context: Context): readonly Action[] =>
	offeredHere(context).filter(({name}) => name !== 'palette' && !/-\d$/.test(name));

/** Entries for actions of the board, from everywhere, unless the place has them itself. */
const boardEntries = (context: Context): readonly Entry[] => {
	const atBoard = ({view, ...rest}: Context): Context => ({
		...rest,
		view: openPlace(view, {at: 'board'}),
	});
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
		return refused === undefined ? run(there) : withNotice(context.view, 'warn', refused);
	},
});

const sessionEntries = (context: Context): readonly Entry[] =>
	(context.sessions ?? []).flatMap(session =>
		(['replay', 'report', 'run again', 'clean'] as const)
			.filter(how => how !== 'run again' || canStart(context))
			.map(
				(how): Entry => ({
					id: `${how} ${session.id}`,
					kind: 'session',
					name: `${how} ${session.id}: ${session.about}`,
					take: ({view}) =>
						how === 'run again'
							? composing(view, {what: 'again', session})
							: {view, effects: [{do: 'show-session', session, how}]},
				}),
			),
	);

/** Returns whether a session can be started: a repository has one at a time. */
const canStart = ({model, view}: Context): boolean =>
	isAtPlan(view) ? view.place.desk.purpose === 'start' : model.state.session?.ended !== undefined;

/** Returns the files of the current diff, including those that it omits. */
const fileEntries = (context: Context): readonly Entry[] => [
	...headingEntries(context),
	...leftOutEntries(context),
];

const leftOutEntries = (context: Context): readonly Entry[] => {
	const {model, view} = context;
	const item = view.place.at === 'item' ? itemOf(model.state, view.place.item) : undefined;
	const agent = view.place.at === 'agent' && view.place.show === 'work' ? view.place.agent : '';
	const key =
		item === undefined
			? shownWorkKey(model.state, agent, view)
			: hasDiff(item)
				? itemDiff(context, item).key
				: undefined;
	return (filesIn(model, key) ?? [])
		.filter(({shown}) => !shown)
		.map(({path, from}) => ({
			id: `file ${path}`,
			kind: 'file',
			name: path,
			take: ({view: there}) => ({
				...there,
				scroll: 0,
				file: [path, ...(from === undefined ? [] : [from])],
			}),
		}));
};

const namesIn = oncePer((files: readonly FilePart[]) =>
	files.map(({heading}) => textOfRow(heading())),
);

const headingEntries = (context: Context): readonly Entry[] => {
	const body = bodyOf(context);
	const names = body.diff && namesIn(body.diff.files);
	return headingsIn(body).map((index, at) => {
		const name =
			names?.[at] ??
			body.rows
				.slice(index, index + 1)
				.map(textOfRow)
				.join('');
		return {
			...{id: `file ${name}`, kind: 'file', name},
			take: ({view}) => ({...view, scroll: scrollTo(view.place, body, Math.min(index, body.last))}),
		};
	});
};
