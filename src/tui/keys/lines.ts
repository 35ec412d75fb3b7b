import {sanitize} from '../../lib/text/sanitize.ts';
import {counted} from '../../lib/text/words.ts';
import {whyNot} from '../../rules/commands/why-not.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {actionKey, byAmount} from '../action.ts';
import {commentDraft} from '../model/draft.ts';
import {
	chosenLines,
	commentsIn,
	letterOf,
	lineInSight,
	numberNow,
	withComment,
} from '../model/lines.ts';
import {inRecording, notLive} from '../model/open-item.ts';
import {fileAt} from '../model/unseen.ts';
import {
	type Action,
	type Context,
	type Dialog,
	type KeyEffect,
	keptText,
	type Outcome,
	type View,
	withNotice,
} from '../model/view.ts';
import {offeredBy} from '../model/ways.ts';
import type {PlacedLine} from '../rows/diff-layout.ts';
import {countLines, lineAtIndex, partsBetween} from '../rows/diff-rows.ts';
import {bodyOf, relaid, scrollTo} from '../screens/body.ts';
import {fewestForSides} from '../screens/item-layout.ts';
import {shownPart} from '../screens/items/work/work.ts';
import type {ShownImage} from '../terminal/images.ts';
import {workHere} from './work-parts.ts';

const hasLines = (context: Context): boolean => countLines(bodyOf(context).diff ?? {files: []}) > 0;

/** Returns the reason why lines can't be commented on: the comment needs a choice with a note, or an agent to message. */
const whyNoComment = (context: Context): string | undefined => {
	const {model, view} = context;
	const item = view.place.at === 'item' ? itemOf(model.state, view.place.item) : undefined;
	const agent = workHere(context);
	if (agent === undefined) {
		return 'Several agents made this result; comment on the work of one of them.';
	}

	const order = {verb: 'message', text: '…'} as const;
	return (
		notLive(context) ??
		(item === undefined
			? whyNot(model.state, {kind: 'steer', agent, order})
			: offeredBy(model.state, item.id).some(({note}) => note !== undefined)
				? undefined
				: 'No choice here takes a note.')
	);
};

const startAt = (context: Context, at: number | undefined): View => {
	const {diff} = bodyOf(context);
	return diff === undefined || at === undefined
		? context.view
		: {...context.view, dialog: {kind: 'lines', resource: diff.resource, at}};
};

const opening = ({help, ...action}: Pick<Action, 'name' | 'label' | 'where' | 'help'>): Action => ({
	...action,
	keys: ['e'],
	help: `open the file at ${help} in your editor: in its worktree while its agent is at work, which is paused meanwhile, else a copy; an image in what shows images`,
	when: context =>
		(hasLines(context) || noTextInSight(context) !== undefined) && treeHere(context) !== undefined,
	whyNot: inRecording,
	run: context => openLine(context),
});

/** Numbers of context lines, from git's default on; the last one shows most files whole. */
const contexts = [3, 10, 30, 10_000];

const changeContext = (context: Context, by: 1 | -1): Outcome => {
	const {view} = context;
	const at = contexts.indexOf(view.context ?? contexts[0] ?? 0) + by;
	const lines = contexts[at];
	if (lines === undefined) {
		const end = by === 1 ? 'Whole files are shown.' : 'No fewer lines are shown around a change.';
		return withNotice(view, 'info', end);
	}

	const told = at === contexts.length - 1 ? 'Whole files' : `${lines} lines around each change`;
	const wanted = relaid(context, {context: at === 0 ? undefined : lines});
	return withNotice(wanted, 'info', `${told}.`);
};

/** Actions that number the lines of a diff, open one in an editor, and comment on some. */
export const lines: readonly Action[] = [
	{
		...{name: 'lines', keys: ['C'], label: 'by line'},
		help: 'go along the lines of the diff, to comment on some of them or to open one in your editor',
		where: ['item', 'agent'],
		when: hasLines,
		run: context => inSight({...context, view: startAt(context, lineInSight(bodyOf(context)))}),
	},
	{
		...{name: 'numbers', keys: ['#']},
		help: 'show the numbers of a diff’s lines, or hide them',
		where: ['item', 'agent', 'lines'],
		when: context => bodyOf(context).diff !== undefined,
		run: context => relaid(context, {numbers: bodyOf(context).diff?.size.numbers !== true}),
	},
	{
		...{name: 'side-by-side', keys: ['|']},
		help: 'show the lines before and after a change side by side, or below each other again',
		where: ['item', 'agent', 'lines'],
		when: context => bodyOf(context).diff !== undefined,
		run: context => {
			const {sides} = context.view;
			const columns = context.view.size.columns - 2;
			const needed = `Side by side, a diff needs ${fewestForSides} columns; here are ${columns}.`;
			return sides || columns >= fewestForSides
				? relaid(context, {sides: !sides})
				: withNotice(context.view, 'warn', needed);
		},
	},
	...byAmount(
		['item', 'agent'],
		(context, by: 1 | -1) => changeContext(context, by),
		[
			['more-context', ['>'], 'show more lines around each change, and whole files in the end', 1],
			['less-context', ['<'], 'show fewer lines around each change', -1],
		],
		{when: context => bodyOf(context).diff !== undefined && treeHere(context) !== undefined},
	),
	{
		...{name: 'write-comment', keys: ['enter', 'C'], label: 'comment'},
		help: 'write a comment on this line, or on those that you chose; the agent is told its path and number',
		where: ['lines'],
		whyNot: whyNoComment,
		run: context => {
			const {view} = context;
			const {dialog} = view;
			const text = keptText(view, commentDraft(letterOf(view)));
			return dialog.kind === 'lines'
				? {...view, dialog: {...dialog, kind: 'comment', ...text}}
				: view;
		},
	},
	...byAmount(['lines'], (context, by: number) => toLine(context, by), [
		['line-down', ['down', 'j'], 'go to the next line', 1, 'next line'],
		['line-up', ['up', 'k'], 'go to the line before', -1],
		['lines-down', ['pageDown', 'ctrl+d'], 'go ten lines down', 10],
		['lines-up', ['pageUp', 'ctrl+u'], 'go ten lines up', -10],
	]),
	{
		...{name: 'choose-lines', keys: ['space'], label: 'from here'},
		help: 'select from this line to the line you go to; again: only the current line',
		where: ['lines'],
		run: ({view}) => {
			const {dialog} = view;
			return dialog.kind === 'lines'
				? {...view, dialog: {...dialog, from: dialog.from === undefined ? dialog.at : undefined}}
				: view;
		},
	},
	{
		...{name: 'copy-lines', keys: ['y'], label: 'copy'},
		help: 'copy this line, or those that you chose, to the clipboard of your terminal (OSC 52; in tmux with set-clipboard on)',
		where: ['lines'],
		run: context => {
			const chosen = chosenLines(context.view, bodyOf(context).diff);
			const text = chosen.map(textOfLine).join('');
			const told = `Copied ${counted(chosen.length, 'line')}, if your terminal lets programs do that.`;
			return {view: withNotice(context.view, 'info', told), effects: [{do: 'copy', text}]};
		},
	},
	opening({name: 'open-line', label: 'editor', where: ['lines'], help: 'this line'}),
	opening({name: 'open-file', where: ['item', 'agent'], help: 'the first change in sight'}),
	{
		...{name: 'open-failure', keys: ['e'], label: 'editor'},
		help: 'open a copy of the file that fails in your editor, at the line that the output in sight names, or at the likeliest one',
		where: ['check', 'item'],
		when: context => isAtCheck(context) && failureHere(context) !== undefined,
		whyNot: inRecording,
		run: context => ({view: context.view, effects: [failureHere(context) ?? []].flat()}),
	},
	{
		...{name: 'lines-over', keys: ['esc', 'b'], label: 'back'},
		help: 'stop going along the lines',
		where: ['lines'],
		run: ({view}) => ({...view, dialog: {kind: 'none'}}),
	},
];

/** Keeps only tabs: a shell into which the text is pasted would take other control characters for keys. */
const textOfLine = ({line}: PlacedLine): string =>
	`${line.text
		.split('\t')
		.map(part => sanitize(part))
		.join('\t')}\n`;

const toLine = (context: Context, by: number): Outcome => {
	const {view} = context;
	const {dialog} = view;
	const {diff} = bodyOf(context);
	const count = diff === undefined ? 0 : countLines(diff);
	if (dialog.kind !== 'lines') {
		return view;
	}

	const at = Math.max(0, Math.min(dialog.at + by, count - 1));
	return inSight({...context, view: {...view, dialog: {...dialog, at}}});
};

/** Scrolls only as far as needed to show the current line. */
const inSight = (context: Context): View => {
	const {view} = context;
	const body = bodyOf(context);
	const {diff, offset, height, last} = body;
	const placed =
		diff && view.dialog.kind === 'lines' ? lineAtIndex(diff, view.dialog.at).line : undefined;
	if (diff === undefined || placed === undefined) {
		return view;
	}

	const [from, to] = placed.rows.map(row => row + diff.from) as [number, number];
	const wanted = from < offset ? from : to > offset + height ? to - height : offset;
	return {...view, scroll: scrollTo(view.place, body, Math.min(wanted, last))};
};

/** Returns the visible images. */
export const imagesInSight = (context: Context): readonly ShownImage[] => {
	const {rows, offset, height, diff} = bodyOf(context);
	if (diff === undefined) {
		return [];
	}

	const commit = treeHere(context);
	const top = offset - diff.from;
	return partsBetween(diff.files, top, top + height).flatMap(({path, file, rows: [from, to]}) => {
		const cells =
			file.lines.length === 0 ? rows.slice(from + diff.from, to + diff.from).flat() : [];
		const image = cells.find(cell => cell.image)?.image;
		return image === undefined || commit === undefined ? [] : [{image, commit, path}];
	});
};

/** Returns the commit with the state after the diff; none for reverted changes. */
const treeHere = (context: Context): string | undefined => {
	const {model, view} = context;
	const id = workHere(context);
	const agent = id === undefined ? undefined : agentOf(model.state, id);
	return agent === undefined
		? lastResult(model.state)?.built.commit
		: shownPart(model.state, agent.id, view) === 'reverted'
			? undefined
			: lastSnapshot(agent)?.work;
};

/** Returns the visible file without lines, such as an image: the one at the top, or the first of a diff without any lines. */
const noTextInSight = (context: Context): string | undefined => {
	const body = bodyOf(context);
	const {files = []} = body.diff ?? {};
	const part = fileAt(body) ?? (hasLines(context) ? undefined : files[0]);
	return context.view.dialog.kind === 'lines' || part?.file.lines.length !== 0
		? undefined
		: part.path;
};

const isAtCheck = ({model, view: {place}}: Context): boolean =>
	place.at === 'check' ||
	(place.at === 'item' && itemOf(model.state, place.item)?.kind === 'verify');

/** Returns the effect that opens the place of the check's failure: the first visible one, or otherwise the likeliest. */
const failureHere = (context: Context): KeyEffect | undefined => {
	const result = lastResult(context.model.state);
	const places = (result !== undefined && 'verified' in result && result.verified.places) || [];
	const {rows, offset, height} = bodyOf(context);
	const letters = (text: string) => text.replaceAll(/\s/g, '');
	const inSight = letters(
		rows
			.slice(offset, offset + height)
			.flat()
			.map(({text}) => text)
			.join(''),
	);
	const place = places.find(({text}) => inSight.includes(letters(text))) ?? places[0];
	return place && result
		? {do: 'open-copy', commit: result.built.commit, at: {path: place.path, line: place.line}}
		: undefined;
};

const openLine = (context: Context): Outcome => {
	const {model, view} = context;
	const {dialog} = view;
	const image = noTextInSight(context);
	const tree = treeHere(context);
	if (image !== undefined && tree !== undefined) {
		return {view, effects: [{do: 'open-copy', commit: tree, at: {path: image}}]};
	}

	const body = bodyOf(context);
	const at = dialog.kind === 'lines' ? dialog.at : (lineInSight(body) ?? 0);
	const here = lineAtIndex(body.diff ?? {files: []}, at);
	const commit = treeHere(context);
	if (here.line === undefined || commit === undefined) {
		return view;
	}

	const place = {path: here.line.path, line: numberNow(here.lines, at - here.first)};
	const agent = workHere(context);
	const why =
		notLive(context) ??
		(agent === undefined
			? 'a result is in no worktree'
			: whyNot(model.state, {kind: 'steer', agent, order: {verb: 'pause', visit: ''}}));
	const effect: KeyEffect =
		why === undefined && agent !== undefined
			? {do: 'visit', agent, how: 'editor', at: place}
			: {do: 'open-copy', commit, at: place};
	return {view, effects: [effect]};
};

/** Adds a comment to the text that it is sent with: the note of the decision, or the next message. */
export const keepComment = (
	context: Context,
	dialog: Extract<Dialog, {kind: 'comment'}>,
): Outcome => {
	const {view} = context;
	const chosen = chosenLines(view, bodyOf(context).diff);
	const letter = letterOf(view);
	const {[dialog.keptAs]: _, ...drafts} = view.drafts;
	const draft = withComment(drafts[letter], chosen, dialog.draft.text);
	const {resource, at} = dialog;
	const many = counted(commentsIn(draft).length, 'comment');
	const words =
		view.place.at === 'item'
			? `Your note holds ${many}; ${actionKey(context, 'lines-over')} leads back to your decision.`
			: `Your message holds ${many}; ${actionKey(context, 'message')} goes on to send it.`;
	const kept: View = {
		...view,
		drafts: {...drafts, [letter]: draft},
		dialog: {kind: 'lines', resource, at},
	};
	return chosen.length === 0
		? withNotice(
				kept,
				'warn',
				`The diff has changed meanwhile, so the comment names no lines. ${words}`,
			)
		: withNotice(kept, 'info', words);
};
