import type {Model} from '../../client/model.ts';
import {keyText} from '../../client/resources/resources.ts';
import type {ConflictType} from '../../events/finding.ts';
import {elapsedMs, formatDuration} from '../../lib/text/duration.ts';
import {counted, shortOid} from '../../lib/text/words.ts';
import {type Meeting, meetingOf, weighed} from '../../rules/collision-matrix.ts';
import {lackingTexts} from '../../state/merge/attribution-text.ts';
import type {Publication, Verified} from '../../state/merge/merge.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Cell, columnNames, rowNames} from '../model/open-item.ts';
import {listedFiles, totalOf} from '../rows/listed-files.ts';
import {cutRow, type Row, row, type Span, sideBySide, span} from '../rows/row.ts';
import {padded} from '../rows/text.ts';
import {filesKey, resultKey} from '../screens/items/work/work.ts';

/** Returns the matrix of collisions within `columns`: its head, and the rows of each agent; if not all sides fit, those around the cell, from one column to before another. */
export const matrixRows = (state: State, cell: Cell | undefined, columns: number) => {
	const names = columnNames(state);
	const first = Math.min(30, Math.max(10, Math.floor(columns * 0.18)));
	const fitting = Math.max(1, Math.floor((columns - first) / leastColumns));
	const at = names.indexOf(cell?.[1] ?? '');
	const from = Math.max(0, Math.min(at - fitting + 1, names.length - fitting));
	const shown = names.slice(from, from + fitting);
	const width = Math.min(mostColumns, Math.floor((columns - first) / shown.length));
	return {
		head: [
			span(' '.repeat(first)),
			...shown.map(name => span(` ${padded(name, width - 2)} `, 'strong')),
		],
		agents: rowNames(state).map(one =>
			sideBySide([
				{rows: titleLines(state, one, first), columns: first},
				...shown.map(other => ({
					rows: cellLines(state, [one, other], {cell, width}),
					columns: width,
				})),
			]),
		),
		from,
		to: from + shown.length,
	};
};

/** Width of the widest cell, with its sign and a gap. */
const leastColumns = 16;
const mostColumns = 28;

/** Returns the result of a comparison in one or two words; the sign says the same. */
export const meetingSpan = (meeting: Meeting): Span => {
	switch (meeting.standing) {
		case 'same':
			return span('·', 'dim');
		case 'not compared':
			return span('– not compared', 'dim');
		case 'compared': {
			const {blocking, notes} = weighed(meeting);
			return blocking > 0
				? span(`✗ ${blocking} ${blocking === 1 ? 'blocks' : 'block'}`, 'bad')
				: notes > 0
					? span(`! ${counted(notes, 'note')}`, 'warn')
					: span('○ none known', 'good');
		}
	}
};

/** Returns the result of a comparison as sentences. */
export const meetingText = (state: State, cell: Cell | undefined): string => {
	if (cell === undefined) {
		return 'There is no agent yet.';
	}

	const names = cell.join(' and ');
	const meeting = meetingOf(state, ...cell);
	switch (meeting.standing) {
		case 'same':
			return `${cell[0]} does not collide with itself.`;
		case 'not compared':
			return `${names} are not compared: ${meeting.why}`;
		case 'compared': {
			const {blocking, notes} = weighed(meeting);
			const found =
				blocking + notes === 0
					? `There is no known collision between ${names}; they are compared after each snapshot.`
					: `${names}: ${partsText(blocking, notes)}.`;
			return [found, ...lackingTexts(meeting)].join(' ');
		}
	}
};

const partsText = (blocking: number, notes: number): string =>
	[
		...(blocking > 0
			? [`${counted(blocking, 'finding')} that would break a merge of the two`]
			: []),
		...(notes > 0 ? [`${counted(notes, 'note')}, which stop neither of them`] : []),
	].join(', and ');

const titleLines = (state: State, id: string, width: number): readonly Row[] => [
	row(padded(id, width - 1), 'strong'),
	row(padded(agentOf(state, id)?.subtask.subtask ?? '', width - 1), 'dim'),
];

type Shown = {readonly cell: Cell | undefined; readonly width: number};

const cellLines = (state: State, here: Cell, {cell, width}: Shown): readonly Row[] => {
	const isHere = `${here}` === `${cell}`;
	const meeting = meetingOf(state, ...here);
	const {text, tone} = meetingSpan(meeting);
	return [
		[
			span(isHere ? '▸' : ' '),
			span(padded(text, width - 2), isHere ? 'selected' : tone),
			span(' '),
		],
		...countLines(meeting).map(line => row(` ${padded(`  ${line}`, width - 1)}`)),
	];
};

const types = ['FILE', 'IMPORT', 'API', 'TEST'] as const;

/** Returns further lines of a cell: the number of notes, of findings beyond the limit, whether only git compared some files, and whether a type checker failed. */
const countLines = (meeting: Meeting): readonly string[] => {
	if (meeting.standing !== 'compared') {
		return [];
	}

	const {findings, more, unread, unchecked} = meeting;
	const {blocking, notes} = weighed(meeting);
	const ofType = (type: (typeof types)[number]): number =>
		findings.filter(finding => finding.type === (`${type}_CONFLICT` satisfies ConflictType)).length;
	return [
		...(blocking > 0 && notes > 0 ? [counted(notes, 'note')] : []),
		...types.filter(type => ofType(type) > 0).map(type => `${type} ${ofType(type)}`),
		...(more > 0 ? [`not kept ${more}`] : []),
		...(unread.length > 0 ? ['not all read'] : []),
		...(unchecked.length > 0 ? ['types unchecked'] : []),
	];
};

/** Returns the merged commit, and whether that merge still stands. */
export const mergedSpan = ({phase, built}: Publication): Span =>
	phase === 'standing'
		? span(`✔ ${shortOid(built.commit)}`, 'good')
		: span(`– ${shortOid(built.commit)} taken back`, 'warn');

/** Returns rows about a merge: its agents, its size, its check and, once the session has ended, its duration. */
export const mergedRows = (
	model: Model,
	{built, verified}: Publication,
	columns: number,
): readonly Row[] => {
	const {session} = model.state;
	return [
		labelled('Work of', span(built.agents.join(', '), 'strong')),
		labelled('Files', span(filesText(model, built.files))),
		labelled('Check', checkSpan(verified, built.tree)),
		...(session?.ended
			? [labelled('Took', span(formatDuration(elapsedMs(session.startedAt, session.ended.at))))]
			: []),
	].map(row => cutRow(row, columns));
};

/** Returns a labelled fact of a merge. */
export const labelled = (label: string, text: Span): Row => [
	span(`  ${label.padEnd(9)}`, 'dim'),
	text,
];

/** Returns the number of files; with lines only if the list was read before, since an ended session can't be asked any more. */
const filesText = ({resources, state}: Model, files: number): string => {
	const key = filesKey(resultKey(state));
	const resource = key && resources[keyText(key)];
	const listed = resource && listedFiles(resource);
	return listed === undefined ? counted(files, 'file') : totalOf(listed);
};

const checkSpan = ({ok, commands}: Verified, tree: string): Span => {
	const told = commands.map(({command}) => command).join(', ');
	if (commands.length === 0) {
		return span('none; the plan has no verify command', 'warn');
	}

	const of = `on tree ${shortOid(tree)}`;
	return ok ? span(`passed ${of}: ${told}`, 'good') : span(`FAILED ${of}: ${told}`, 'bad');
};
