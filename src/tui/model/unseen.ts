import type {Resource} from '../../client/model.ts';
import {keyText} from '../../client/resources/resources.ts';
import {counted} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type ListedFile, unshownNotes} from '../../rules/listed-file.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import {agentOfItem, type Item} from '../../state/item.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {type FilePart, firstIndex, layoutName} from '../rows/diff-rows.ts';
import {type Row, span} from '../rows/row.ts';
import {bodyOf, type ScrolledBody} from '../screens/body.ts';
import {diffKey, hasDiff, type ShownDiff} from '../screens/item-layout.ts';
import {asWanted, filesIn, shownWorkKey} from '../screens/items/work/work.ts';
import {isTooSmall} from '../terminal/full-screen.ts';
import {
	type Context,
	isSeen,
	type Range,
	type SeenRows,
	type View,
	type WorkPart,
	withRows,
} from './view.ts';

/** Returns the view with what is on the screen now counted as seen. */
export const looked = (context: Context): View => {
	const {view} = context;
	const isCovered = isTooSmall(view.size) || view.dialog.kind === 'palette';
	const body = isCovered ? undefined : bodyOf(context);
	if (body?.diff === undefined) {
		return view;
	}

	const {resource, size} = body.diff;
	const [first, end] = rowsOfDiff(body, body.diff);
	const known = view.seen[resource];
	const seen = withRows(known, layoutName(size), [first, end]);
	const lookedAt = end > first ? withLook(context, resource) : view.lookedAt;
	return seen === known && lookedAt === view.lookedAt
		? view
		: {...view, lookedAt, seen: seen === known ? view.seen : {...view.seen, [resource]: seen}};
};

/** Records that the person has looked at the shown work, up to its last snapshot. */
const withLook = ({model: {state}, view}: Context, resource: string): View['lookedAt'] => {
	const {place, lookedAt} = view;
	const item = place.at === 'item' ? itemOf(state, place.item) : undefined;
	const id = place.at === 'agent' ? place.agent : item && agentOfItem(item);
	const agent = id === undefined ? undefined : agentOf(state, id);
	const last = agent && lastSnapshot(agent)?.number;
	const key = agent && asWanted(shownWorkKey(state, agent.id, view), view);
	if (
		agent === undefined ||
		last === undefined ||
		key === undefined ||
		key.what.of === 'reverted' ||
		key.what.of === 'file' ||
		keyText(key) !== resource
	) {
		return lookedAt;
	}

	const now = lookedAt[agent.id]?.now;
	return now === last
		? lookedAt
		: {...lookedAt, [agent.id]: {now: last, ...defined({before: now})}};
};

/**
Returns in sentences what of the diff of the open item has not been on the screen; none when a person could have read all of it.

Whoever says yes to what they can't have read is told so first.
*/
export const unseen = (context: Context, item: Item): readonly string[] => {
	const {model, view} = context;
	const whole = hasDiff(item) ? diffKey(model.state, item) : undefined;
	const resourceKey = asWanted(whole, {file: undefined, context: view.context});
	if (resourceKey === undefined) {
		return [];
	}

	const key = keyText(resourceKey);
	const resource = model.resources[key];
	return resource?.phase === 'ready'
		? [
				...unseenLines(context, bodyOf(context), key),
				...unshown(resource, filesIn(model, resourceKey)),
			]
		: ['Its diff was not on the screen.'];
};

/** Returns the rows of each added line of the diff that is on the screen that never was there; a line in sight counts as read. */
export const unreadRows = ({seen}: View, body: ScrolledBody): readonly Range[] => {
	const {diff} = body;
	if (diff === undefined) {
		return [];
	}

	const read = withRows(seen[diff.resource], layoutName(diff.size), rowsOfDiff(body, diff));
	return diff.files.flatMap(({added}) => added.filter(range => !isSeen(read, range)));
};

/** Returns how many added lines of each file of that diff were never on the screen; a line in sight counts as read. */
export const unreadInSight = ({seen}: View, body: ScrolledBody): ReadonlyMap<string, number> =>
	body.diff === undefined
		? new Map()
		: unreadFiles(
				withRows(seen[body.diff.resource], layoutName(body.diff.size), rowsOfDiff(body, body.diff)),
				body.diff,
			);

const unreadFiles = (seen: SeenRows, {files}: ShownDiff): ReadonlyMap<string, number> =>
	new Map(files.map(file => [file.path, unreadOf(seen, file)]));

/**
Counts the added lines of a file that were never on the screen.

Lines and ranges stand in order and don't overlap, so the lines within a range are found by their ends and not one by one: a review may have 50,000, and each frame counts.
*/
const unreadOf = ({ranges}: SeenRows, {rows: [from, to], added}: FilePart): number => {
	const read = ranges
		.filter(([start, end]) => start < to && from < end)
		.map(([start, end]) => {
			const first = firstIndex(added, range => range[0] >= start);
			return Math.max(0, firstIndex(added, range => range[1] > end) - first);
		});
	return added.length - read.reduce((sum, lines) => sum + lines, 0);
};

/** Returns which rows of a diff are in sight. */
const rowsOfDiff = ({rows, offset, height}: ScrolledBody, {from}: ShownDiff): Range => [
	Math.max(0, offset - from),
	Math.max(0, Math.min(rows.length, offset + height) - from),
];

const countOf = (files: ReadonlyMap<string, number>): number =>
	[...files.values()].reduce((sum, unread) => sum + unread, 0);

/** Returns the file of a diff that the first row in sight belongs to; none above the diff. */
export const fileAt = ({diff, offset}: ScrolledBody): FilePart | undefined =>
	diff?.files.findLast(({rows: [from]}) => from <= offset - diff.from);

/** Returns the name of that file, which stays in sight, and how much of the whole diff never was. */
export const fileInSight = ({view}: Context, body: ScrolledBody): Row => {
	const {diff} = body;
	const here = fileAt(body);
	if (diff === undefined || here === undefined) {
		return [];
	}

	const left = countOf(unreadInSight(view, body));
	return [
		span(here.path, 'strong'),
		span(`  ${diff.files.indexOf(here) + 1} of ${counted(diff.files.length, 'file')}`, 'dim'),
		...(left === 0 ? [] : [span(`  ${counted(left, 'added line')} unread`, 'info')]),
		...(view.sides && !diff.size.sides ? [span('  too narrow for side by side', 'dim')] : []),
	];
};

const unseenLines = ({view}: Context, {diff}: ScrolledBody, whole: string): readonly string[] => {
	if (diff === undefined) {
		return ['Its diff was not on the screen.'];
	}

	if (diff.resource !== whole) {
		return [view.file === undefined ? instead[view.part] : 'Only one file of it is on the screen.'];
	}

	const seen = withRows(view.seen[diff.resource], layoutName(diff.size), [0, 0]);
	const left = countOf(unreadFiles(seen, diff));
	return left === 0
		? []
		: [`${counted(left, 'added line')} ${left === 1 ? 'was' : 'were'} not on the screen.`];
};

const instead: Readonly<Record<WorkPart, string>> = {
	all: 'Its diff was not on the screen.',
	new: 'Only what is new since its last checkpoint is on the screen.',
	unlooked: 'Only what is new since you last looked is on the screen.',
	reverted: 'Only what was reverted is on the screen.',
};

/** Returns what scrolling can't show, from the list of files, since the diff can't tell what it lacks. */
const unshown = (
	{lines, total, cut = 0}: Extract<Resource, {phase: 'ready'}>,
	files: readonly ListedFile[] | undefined,
): readonly string[] => {
	if (files === undefined) {
		return ['The list of changed files was not on the screen.'];
	}

	return [
		...unshownNotes(files),
		...(total > lines.length
			? [`${counted(total - lines.length, 'line')} can’t be shown here.`]
			: []),
		...(cut > 0 ? [`Of ${counted(cut, 'line')} only the beginning can be shown.`] : []),
	];
};
