import type {Resource} from '../../client/model.ts';
import {keyText} from '../../client/resources/resources.ts';
import {counted, firstOf} from '../../lib/text/words.ts';
import {defined, oncePer} from '../../lib/values.ts';
import type {ShownChange} from '../../rules/by-hand/hunk-lines.ts';
import {type ListedFile, unshownNotes} from '../../rules/listed-file.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import {agentOfItem, type Item} from '../../state/item.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {DiffFile, DiffLine} from '../rows/diff.ts';
import {type FilePart, firstIndex} from '../rows/diff-layout.ts';
import {diffFiles, layoutName, partsBetween} from '../rows/diff-rows.ts';
import {type Row, span} from '../rows/row.ts';
import {bodyOf, linkedTo, type ScrolledBody} from '../screens/body.ts';
import {diffKey, hasDiff, type ShownDiff} from '../screens/item-layout.ts';
import {asWanted, filesIn, shownWorkKey} from '../screens/items/work/work.ts';
import {isTooSmall} from '../terminal/full-screen.ts';
import {type TakeablePart, type WorkInHand, workIn} from './selection.ts';
import {
	type Context,
	isAskedAlone,
	isSeen,
	type Range,
	type ReadLines,
	type SeenRows,
	type View,
	type WorkPart,
	withNotice,
	withRows,
} from './view.ts';

/** Marks the visible part of the screen as seen. */
export const looked = (context: Context): View => {
	const {view} = context;
	const isCovered = isTooSmall(view.size) || view.dialog.kind === 'palette' || isAskedAlone(view);
	const body = isCovered ? undefined : bodyOf(context);
	if (body?.diff === undefined) {
		return body === undefined ? view : withPart(context, body);
	}

	const {resource} = body.diff;
	const [first, end] = rowsOfDiff(body, body.diff);
	const known = view.seen[resource];
	const seen = seenWith(view, body, body.diff);
	const lookedAt = end > first ? withLook(context, resource) : view.lookedAt;
	const read = withRead(view.read, freshlyRead(view, body));
	return seen === known && lookedAt === view.lookedAt && read === view.read
		? view
		: {
				...view,
				lookedAt,
				read,
				seen: seen === known ? view.seen : {...view.seen, [resource]: seen},
			};
};

const seenWith = ({seen}: View, body: ScrolledBody, diff: ShownDiff): SeenRows =>
	withRows(seen[diff.resource], layoutName(diff.size), rowsOfDiff(body, diff));

/** Marks the current part of a work as seen, once all of it has been on the screen. */
const withPart = (context: Context, {rows, offset, height}: ScrolledBody): View => {
	const {view} = context;
	const hand = workIn(context);
	const name = hand?.at && partName(hand, hand.at.number);
	const known = name === undefined ? wholePart : view.seen[name];
	if (name === undefined || known === wholePart) {
		return view;
	}

	const seen = withRows(known, `${view.size.columns}`, [offset, offset + height]);
	const isWhole = isSeen(seen, [0, rows.length]);
	return {...view, seen: {...view.seen, [name]: isWhole ? wholePart : seen}};
};

const wholePart: SeenRows = {layout: 'whole', ranges: []};

const partName = ({key}: WorkInHand, number: number): string => `part ${number} of ${key}`;

/** Returns a sentence about the picked parts that were never on the screen, except those whose lines were read in a diff. */
export const unseenParts = ({view}: Context, hands: readonly WorkInHand[]): readonly string[] => {
	const taken = hands.flatMap(hand =>
		hand.hunks.flatMap((part, number) =>
			part.taken ? [{part, name: partName(hand, number)}] : [],
		),
	);
	const left = taken.filter(
		({part, name}) => view.seen[name] !== wholePart && !isRead(view.read, part),
	);
	const names = left.map(({part: {file, hunks}}) =>
		hunks[0] === undefined ? file.path : `${file.path}:${hunks[0].line}`,
	);
	return left.length === 0
		? []
		: [
				`Of the ${counted(taken.length, 'part')} that you take, ${left.length} ${left.length === 1 ? 'was' : 'were'} not on the screen here: ${firstOf(names, 3)}.`,
			];
};

/** Returns whether all added lines of a part were read; removed lines are not recorded. */
const isRead = (read: ReadLines, {file, hunks}: TakeablePart): boolean => {
	const all = namesOfParts(file);
	const names = hunks.flatMap(hunk => all[file.hunks.indexOf(hunk)] ?? []);
	return names.length > 0 && names.every(name => read.get(file.path)?.has(name));
};

/** Returns the names of the added lines of each hunk, as a diff of the file has them. */
const namesOfParts = oncePer(({hunks}: ShownChange): readonly (readonly string[])[] => {
	const lines = hunks.map(({lines}) =>
		lines.map(
			(line): DiffLine => ({
				kind: line.startsWith('+') ? 'added' : 'same',
				text: line.slice(1),
			}),
		),
	);
	const names = lineNames({lines: lines.flat()});
	let from = 0;
	return lines.map(lines => {
		const first = from;
		from += lines.filter(({kind}) => kind === 'added').length;
		return names.slice(first, from);
	});
});

type Names = readonly (readonly [path: string, names: readonly string[]])[];

/** Returns the visible added lines, by file, that have now been on the screen in full for the first time. */
const freshlyRead = (view: View, body: ScrolledBody): Names => {
	const {diff} = body;
	if (diff === undefined) {
		return [];
	}

	const [first, end] = rowsOfDiff(body, diff);
	const seen = seenWith(view, body, diff);
	return partsBetween(diff.files, first, end).map(({path, file, placed}) => {
		const {added} = placed();
		const from = firstIndex(added, range => range[1] > first);
		const to = firstIndex(added, range => range[0] >= end);
		const names = lineNames(file).slice(from, to);
		const isFresh = (name: string, at: number) =>
			!view.read.get(path)?.has(name) && isSeen(seen, added[from + at] ?? [0, 0]);
		return [path, names.filter(isFresh)];
	});
};

const withRead = (read: ReadLines, names: Names): ReadLines => {
	const fresh = names.filter(([, names]) => names.length > 0);
	return fresh.length === 0
		? read
		: new Map([
				...read,
				...fresh.map(
					([path, names]) => [path, new Set([...(read.get(path) ?? []), ...names])] as const,
				),
			]);
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
Returns sentences about the parts of the open item's diff that were never on the screen; none if a person could have read all of it.

They are shown before a person confirms.
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
				...unseenLines(context, bodyOf(context), {whole: key, resource}),
				...unshown(resource, filesIn(model, resourceKey)),
			]
		: ['Its diff was not on the screen.'];
};

/** Returns the rows of each added line of the shown diff that was never on the screen; visible lines count as read. */
export const unreadRows = (view: View, body: ScrolledBody): readonly Range[] => {
	const fresh = new Map(freshlyRead(view, body));
	return (body.diff?.files ?? []).flatMap(({path, file, placed}) => {
		if (unreadOf(view.read, file) === 0) {
			return [];
		}

		const names = lineNames(file);
		return placed().added.filter((_, at) => {
			const name = names[at] ?? '';
			return !view.read.get(path)?.has(name) && !fresh.get(path)?.includes(name);
		});
	});
};

/** Returns the number of added lines, by file of that diff, that were never on the screen; visible lines count as read. */
export const unreadInSight = oncePer((body: ScrolledBody, view: View) => {
	const unread = new Map<string, number>();
	for (const {path, file} of body.diff?.files ?? []) {
		unread.set(path, unreadOf(view.read, file));
	}

	for (const [path, names] of freshlyRead(view, body)) {
		unread.set(path, (unread.get(path) ?? 0) - names.length);
	}

	return unread;
});

/** Marks a file as seen, or undoes that if it was the last mark; returns nothing for a file that was seen by reading. */
export const markedAsSeen = (view: View, {file, path}: FilePart): View | undefined => {
	const left = unreadOf(view.read, file);
	const lines = view.read.get(path) ?? new Set<string>();
	if (left > 0) {
		const read = new Map([...view.read, [path, new Set(lineNames(file))]]);
		const told = `${path} is marked as seen, with ${counted(left, 'line')} unread; again takes it back.`;
		return withNotice({...view, read, marked: {path, before: lines}}, 'info', told);
	}

	if (view.marked?.path !== path) {
		return undefined;
	}

	const read = new Map([...view.read, [path, view.marked.before]]);
	return withNotice({...view, read, marked: undefined}, 'info', `${path} is unread again.`);
};

/** Counts the added lines of a file that were never on the screen. */
const unreadOf = (read: ReadLines, file: DiffFile): number => {
	const lines = read.get(file.path);
	return lines === undefined ? file.added : unreadBeside(lines, file);
};

/** Cached until more lines were on the screen. */
const unreadBeside = oncePer(
	(lines: ReadonlySet<string>, file: DiffFile) =>
		lineNames(file).filter(name => !lines.has(name)).length,
);

/** Returns a name for each added line of a file, which identifies it in other diffs: its text, that of the added line above it, and the number of equal ones before. */
const lineNames = oncePer(({lines}: Pick<DiffFile, 'lines'>): readonly string[] => {
	const counts = new Map<string, number>();
	let above = '';
	return lines.flatMap(line => {
		const text = line.kind === 'added' ? line.text : '';
		const name = `${above}\n${text}`;
		above = text;
		if (line.kind !== 'added') {
			return [];
		}

		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return [`${count} ${name}`];
	});
});

const rowsOfDiff = ({rows, offset, height}: ScrolledBody, {from}: ShownDiff): Range => [
	Math.max(0, offset - from),
	Math.max(0, Math.min(rows.length, offset + height) - from),
];

const countOf = (files: ReadonlyMap<string, number>): number =>
	[...files.values()].reduce((sum, unread) => sum + unread, 0);

/** Returns the file of the first visible row; none above the diff. */
export const fileAt = ({diff, offset}: ScrolledBody): FilePart | undefined =>
	diff?.files[firstIndex(diff.files, ({rows: [from]}) => from > offset - diff.from) - 1];

/** Returns the name of that file, which stays visible, and the unread share of the whole diff. */
export const fileInSight = (context: Context, body: ScrolledBody): Row => {
	const {view} = context;
	const {diff} = body;
	const here = fileAt(body);
	if (diff === undefined || here === undefined) {
		return [];
	}

	const left = countOf(unreadInSight(body, view));
	return [
		linkedTo(context, span(here.path, 'strong')),
		span(`  ${diff.files.indexOf(here) + 1} of ${counted(diff.files.length, 'file')}`, 'dim'),
		...(left === 0 ? [] : [span(`  ${counted(left, 'added line')} unread`, 'info')]),
		...(view.sides && !diff.size.sides ? [span('  too narrow for side by side', 'dim')] : []),
	];
};

const unseenLines = (
	{view}: Context,
	{diff}: ScrolledBody,
	{whole, resource}: {readonly whole: string; readonly resource: Ready},
): readonly string[] => {
	const files = diffFiles(resource) ?? [];
	const left = files.reduce((sum, file) => sum + unreadOf(view.read, file), 0);
	if (diff?.resource !== whole && (left > 0 || files.some(({added}) => added === 0))) {
		const isOneFile = diff !== undefined && view.file !== undefined;
		return [isOneFile ? oneFile : instead[diff === undefined ? 'all' : view.part]];
	}

	return left === 0
		? []
		: [`${counted(left, 'added line')} ${left === 1 ? 'was' : 'were'} not on the screen.`];
};

const oneFile = 'Only one file of it is on the screen.';

const instead: Readonly<Record<WorkPart, string>> = {
	all: 'Its diff was not on the screen.',
	new: 'Only what is new since its last checkpoint is on the screen.',
	unlooked: 'Only what is new since you last looked is on the screen.',
	reverted: 'Only what was reverted is on the screen.',
};

type Ready = Extract<Resource, {phase: 'ready'}>;

/** Returns the parts that scrolling can't show, from the list of files, since the diff itself doesn't know them. */
const unshown = (
	{lines, total, cut = 0}: Ready,
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
