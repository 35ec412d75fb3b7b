import {isUtf8} from 'node:buffer';
import {sectionAt} from '../../conflicts/hunks.ts';
import {markedHunks, type Segment, wholeLines} from '../../conflicts/marked-text.ts';
import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {sealed} from '../../git/process/sealed.ts';
import {blobsAt, readBlobs} from '../../git/tree/blobs.ts';
import {readJournal} from '../../journal/read.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {printHunks, type ShownHunk} from '../../rules/by-hand/hunk-lines.ts';
import {type Trail, trailOf} from '../../rules/by-hand/trail.ts';
import type {Signal} from '../../signals/index.ts';
import type {Snapshot} from '../../state/agent/agent.ts';
import type {ItemOf} from '../../state/item.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Shown} from '../show/show-side.ts';
import {requireSession, type Works} from '../world.ts';
import {type HandFile, pickedText, readHandFile} from './hand-file.ts';

/** Returns the hunks of a conflicted file as it stands in its folder, as `printHunks` prints them. */
export const showHunks = async (works: Works, item: ItemOf<'conflict'>): Promise<Shown> => {
	const file = await readHandFile(works, item);
	if ('whole' in file) {
		const nothing = {steps: [], hunks: [], edited: new Map<string, never>()};
		return {text: printHunks({...nothing, whole: true, remarks: [file.whole]})};
	}

	const lines = shownLines(file);
	return {
		text: printHunks({
			steps: file.steps,
			remarks: remarksOn(file),
			whole: false,
			hunks: shownHunks(file, lines),
			edited: new Map([...file.edited].map(([content, text]) => [content, lines(text)])),
		}),
	};
};

type Lines = (text: string) => readonly string[];

/** How lines are shown: without their ends, where all of the file have the same. */
const shownLines = (file: HandFile): Lines => {
	const isDos = lineEnds(file) === 'dos';
	return text =>
		wholeLines(text).map(line => {
			const bare = line.replace(isDos ? /\r?\n$/ : /\n$/, '');
			return Buffer.from(bare, 'latin1').toString('utf8');
		});
};

const lineEnds = (file: HandFile): 'unix' | 'dos' | 'mixed' => {
	const lines = textsOf(file).flatMap(wholeLines);
	const dos = lines.filter(line => line.endsWith('\r\n')).length;
	const ended = lines.filter(line => line.endsWith('\n')).length;
	return dos === 0 ? 'unix' : dos === ended ? 'dos' : 'mixed';
};

const textsOf = ({segments}: HandFile): readonly string[] =>
	(segments ?? []).flatMap(segment =>
		segment.kind === 'same'
			? [segment.text]
			: [segment.hunk.left, segment.hunk.base, segment.hunk.right],
	);

const remarksOn = (file: HandFile): readonly string[] => {
	const ends = lineEnds(file);
	const isText = textsOf(file).every(text => isUtf8(Buffer.from(text, 'latin1')));
	return [
		...(file.segments === null
			? ['The file was removed in its folder; so "done" deletes it.']
			: []),
		...(file.standing.content === undefined || file.segments === null
			? []
			: ['The file was edited as a whole; what was settled before is part of its text now.']),
		...(ends === 'dos' ? ['Its lines end with CR LF, and stay so.'] : []),
		...(ends === 'mixed' ? ['Its lines end in two ways, with CR LF (␍) and with LF.'] : []),
		...(isText ? [] : ['Not all of it is UTF-8: such bytes are shown as � and stay as they are.']),
	];
};

/** Settled lines around a hunk that are shown with it. */
const contextLines = 3;

const shownHunks = (file: HandFile, lines: Lines): readonly ShownHunk[] => {
	const segments = file.segments ?? [];
	const shown: ShownHunk[] = [];
	let above: readonly string[] = [];
	for (const [index, segment] of segments.entries()) {
		if (segment.kind === 'same') {
			above = [...above, ...lines(segment.text)];
			continue;
		}

		const {left, base, right} = segment.hunk;
		const pick = file.standing.picks.get(shown.length);
		const own = lines(left);
		const section = sectionAt([...above, ...own], above.length + 1, file.path);
		shown.push({
			line: above.length + 1,
			...defined({section}),
			before: sameLines(segments[index - 1], lines).slice(-contextLines),
			left: own,
			base: lines(base),
			right: lines(right),
			after: sameLines(segments[index + 1], lines).slice(0, contextLines),
			open: (['left', 'base', 'right'] as const).filter(side => isOpen(segment.hunk[side])),
		});
		above = [...above, ...(pick === undefined ? own : lines(pickedText(file, segment.hunk, pick)))];
	}

	return shown;
};

const sameLines = (segment: Segment | undefined, lines: Lines): readonly string[] =>
	segment?.kind === 'same' ? lines(segment.text) : [];

const isOpen = (text: string): boolean => text !== '' && !text.endsWith('\n');

/**
Returns what led to the lines of a hunk, counted from 0, for each who wrote some: the snapshot that brought them first, what its agent said then, and what it had asked and was answered.

@throws `Failure` of kind `refused` when there is no such hunk
*/
export const showTrail = async (
	works: Works,
	state: State,
	{item, hunk: number}: {readonly item: ItemOf<'conflict'>; readonly hunk: number},
): Promise<Shown> => {
	const file = await readHandFile(works, item);
	const hunk = 'whole' in file ? undefined : markedHunks(file.segments ?? [])[number];
	if (hunk === undefined) {
		throw new Failure('refused', `There is no hunk ${number + 1} in ${item.path}.`);
	}

	const events = await eventsOf(works);
	const told: string[] = [];
	for (const [owners, text] of [
		[item.a, hunk.left],
		[item.b, hunk.right],
	] as const) {
		for (const owner of owners) {
			const change = {text, before: hunk.base};
			const lines =
				owner === 'target'
					? await targetLines(works, state, item.path)
					: await agentLines(works, events, {state, agent: owner, path: item.path, change});
			told.push(...(told.length === 0 ? [] : ['']), ...lines);
		}
	}

	return {text: told.join('\n')};
};

const eventsOf = async ({folder}: Works): Promise<readonly Event[]> => {
	if (folder === undefined) {
		throw new Failure('refused', 'Only a session under way shows what led to a hunk.');
	}

	return (await readJournal(folder.journal)).entries.filter(isEvent);
};

/** Longest text of an agent or a person that is quoted, in characters. */
const longest = 400;

const quoted = (text: string): string => {
	const line = text.trim().replaceAll(/\s+/g, ' ');
	return line.length > longest ? `${line.slice(0, longest)} …` : line;
};

const targetLines = async (
	{store}: Works,
	state: State,
	path: string,
): Promise<readonly string[]> => {
	const {base, tip, target} = requireSession(state);
	const format = ['log', '-3', '--format=%h %an: %s', `${base}..${tip}`];
	const log = path.isWellFormed()
		? (await sealed(store, [...format, '--', `:(literal)${path}`])).stdout.toString('utf8')
		: '';
	const commits = log.split('\n').filter(line => line !== '');
	return [
		`target (${target})`,
		...(commits.length === 0
			? ['  No commit since the session began mentions it.']
			: [
					'  The last commits that changed this file:',
					...commits.map(line => `  ${quoted(line)}`),
				]),
	];
};

type Parts = {
	readonly state: State;
	readonly agent: string;
	readonly path: string;
	readonly change: Change;
};

const agentLines = async (
	works: Works,
	events: readonly Event[],
	{state, agent: id, path, change}: Parts,
): Promise<readonly string[]> => {
	const agent = agentOf(state, id);
	const title = `${id}  ${quoted(agent?.subtask.subtask ?? '')}`;
	const snapshot = await firstSnapshotWith(works, agent?.snapshots ?? [], path, change);
	const trail = snapshot && trailOf(events, id, snapshot.number);
	return snapshot === undefined || trail === undefined
		? [title, '  No snapshot of its work holds exactly these lines.']
		: [title, ...trailLines(snapshot, trail, change)];
};

const trailLines = (
	{number}: Snapshot,
	{at, reason, said, asked}: Trail,
	{text}: Change,
): readonly string[] => [
	`  Snapshot ${number} (${reason}, ${at.slice(11, 19)}) was the first that ${text === '' ? 'went without the lines before' : 'held these lines'}.`,
	said === undefined ? '  It had said nothing yet.' : `  It said: ${quoted(saidText(said))}`,
	...(asked === undefined
		? ['  It had asked nothing before.']
		: [
				`  It had asked (${asked.item}): ${quoted(asked.question)}`,
				`  The answer was: ${quoted([asked.answer, ...(asked.note === undefined ? [] : [asked.note])].join(' – '))}`,
			]),
];

const saidText = (signal: Signal): string => {
	switch (signal.kind) {
		case 'checkpoint':
			return [
				`checkpoint${signal.progress === undefined ? '' : ` at ${signal.progress} %`}`,
				...signal.changes.map(({file, description}) => `${file}: ${description}`),
			].join('; ');
		case 'completion_report':
			return [`its work is done (${signal.status})`, ...signal.recommendations].join('; ');
		case 'progress':
			return `${signal.phase} - ${signal.status}`;
		case 'finding':
			return signal.finding;
		case 'stop_work':
			return `it stops: ${signal.details}`;
		case 'error':
			return `error: ${signal.description}`;
		default:
			return 'value' in signal ? `${signal.kind}: ${signal.value}` : signal.kind;
	}
};

/** Lines that a side of a hunk holds, and those that it replaced; a character for each byte. */
type Change = {readonly text: string; readonly before: string};

/** Returns the first snapshot whose work holds the lines of a change together at the path, or, where it only removed some, is without them. */
export const firstSnapshotWith = async (
	{store}: Works,
	snapshots: readonly Snapshot[],
	path: string,
	{text, before}: Change,
): Promise<Snapshot | undefined> => {
	const oids = await blobsAt(
		store,
		snapshots.map(({work}) => work),
		path,
	);
	const blobs = await readBlobs(
		store,
		oids.filter(oid => oid !== undefined),
	);
	return snapshots.find((_, index) => {
		const content = blobs.get(oids[index] ?? '')?.toString('latin1') ?? '';
		return text === '' ? !holds(content, before) : holds(content, text);
	});
};

/** Whether a text holds these lines, from the start of a line. */
const holds = (content: string, lines: string): boolean => `\n${content}`.includes(`\n${lines}`);
