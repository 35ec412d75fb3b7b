import type {Activity, Model} from '../../client/model.ts';
import {checkTail, setupTail} from '../../client/tails.ts';
import {updateBlocks} from '../../client/texts/describe.ts';
import {countText, loadTexts} from '../../client/texts/reported-text.ts';
import type {Evidence, Finding} from '../../events/finding.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {oncePer} from '../../lib/values.ts';
import {meetingOf} from '../../rules/collision-matrix.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {allowancesOf} from '../../state/agent/allowance.ts';
import {agentOfItem} from '../../state/item.ts';
import {reportDetail} from '../../state/items/work-detail.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {actionKey, isListed, offeredHere} from '../action.ts';
import {changedFileCount, conditionsNow, loadNow} from '../formatting/agent-look.ts';
import {keyRows} from '../formatting/choice-rows.ts';
import {meetingText} from '../formatting/matrix-rows.ts';
import {chosenLines, commentsIn, isCommented, letterOf} from '../model/lines.ts';
import {filterOf, wordsToMark} from '../model/searching.ts';
import type {Action, Context, Place, ScrolledLine, View} from '../model/view.ts';
import {blockRows} from '../rows/block-rows.ts';
import {type DiffParts, firstIndex, type PlacedLine} from '../rows/diff-layout.ts';
import {
	type DrawLine,
	drawnRow,
	indexOfLine,
	lineAtIndex,
	linesAround,
	linesFrom,
	lineUnder,
} from '../rows/diff-rows.ts';
import {foundIn, marked} from '../rows/found.ts';
import {quoted, quotedExactly} from '../rows/quoted.ts';
import {
	blank,
	bullets,
	fact,
	paragraph,
	type Row,
	type Rows,
	row,
	type Span,
	section,
	span,
} from '../rows/row.ts';
import {withSyntax} from '../rows/syntax.ts';
import {answersRows, formLayout} from './form-layout.ts';
import {hunkRows} from './hunk-rows.ts';
import {inboxRows} from './inbox-rows.ts';
import {diffBody, frameRows, itemLayout, rowsAround, type ShownDiff} from './item-layout.ts';
import {taskFacts} from './items/about-agent.ts';
import {asWanted, filesIn, marksOfWork, shownWorkKey, workedText} from './items/work/work.ts';
import {logRows} from './log-rows.ts';
import {storyRows} from './story-rows.ts';

/** Scrollable content of the current place: its rows, and the visible range. */
export type ScrolledBody = {
	readonly rows: Rows;
	readonly height: number;
	/** Largest offset that still fills the window. */
	readonly last: number;
	readonly offset: number;
	/** Place of a diff among the rows, if there is one. */
	readonly diff?: ShownDiff | undefined;
};

/** Returns the scrollable content of the current place, made once for each context: keys, footer and frame all need it. */
export const bodyOf = oncePer((context: Context): ScrolledBody => {
	const {model, view} = context;
	const {place, size, scroll} = view;
	const height = size.rows - frameRows(context) - 2;
	switch (place.at) {
		case 'item': {
			const layout = itemLayout(context, place);
			return fromTop(layout?.body ?? [], layout?.bodyHeight ?? 1, scroll, layout?.diff);
		}

		case 'questions': {
			const layout = formLayout(context);
			return fromTop(layout?.body ?? [], layout?.bodyHeight ?? 1, scroll);
		}

		case 'agent': {
			if (place.show === 'work') {
				const {body, diff} = workOf(context, place.agent);
				return fromTop(body, height, scroll, diff);
			}

			const rows = agentRows(context, place);
			return place.show === 'words'
				? following(rows, height, scroll)
				: fromTop(rows, height, scroll);
		}

		case 'hunks':
			return fromTop(hunkRows(context, place), height, scroll);
		case 'answers':
			return fromTop(answersRows(context), height, scroll);
		case 'log':
			return following(logRows(model.log, filterOf(view)), height, scroll);
		case 'check':
			return following(checkRows(context), height, scroll);
		case 'findings':
			return fromTop(findingsRows(context, place), height, scroll);
		case 'help':
			return fromTop(helpRows(context, place), height, scroll);
		case 'inbox': {
			const rows = inboxRows(context);
			const at = rows.findIndex(([first]) => first?.tone === 'selected');
			return fromTop(rows, height, Math.max(0, at - Math.floor(height / 2)));
		}

		case 'board':
		case 'matrix':
		case 'plan':
			return fromTop([], height, 0);
	}
});

const fromTop = (
	rows: Rows,
	height: number,
	scroll: View['scroll'],
	diff?: ShownDiff,
): ScrolledBody => {
	const last = Math.max(0, rows.length - height);
	const wanted = typeof scroll === 'number' ? scroll : topAt(scroll, diff);
	return {rows, height, last, offset: Math.max(0, Math.min(wanted, last)), diff};
};

/** Returns the offset that keeps a line in place; 0 until its diff is there. */
const topAt = (line: ScrolledLine, diff: ShownDiff | undefined): number => {
	const {path, number, below} = line;
	if (diff === undefined) {
		return 0;
	}

	const isThere = (one: PlacedLine) => one.line.kind !== 'removed' && one.number <= number;
	const placed = diff.files
		.filter(one => one.path === path)
		.flatMap(({placed}) => placed().lines)
		.findLast(isThere);
	return placed === undefined ? 0 : diff.from + placed.rows[0] - below;
};

/** Returns the indexes of the first rows of files, for keys that go from file to file. */
export const headingsIn = oncePer(({rows, diff}: ScrolledBody): readonly number[] =>
	diff === undefined
		? rows.slice().flatMap((row, index) => (row.some(({tone}) => tone === 'file') ? [index] : []))
		: diff.files.map(({rows: [first]}) => diff.from + first),
);

/** Returns the index of the diff's line at a cell of the screen. */
export const lineAtPlace = (
	context: Context,
	row: number,
	column: number,
): {readonly at: number; readonly resource: string} | undefined => {
	const {place} = context.view;
	const {diff, offset, height} = bodyOf(context);
	const isItem = place.at === 'item';
	const left = isItem ? (itemLayout(context, place)?.beside?.columns ?? 0) : 0;
	// Above the body are the title and the rule, and for an item also its own title.
	const inBody = row - (isItem ? rowsAround(context.view) : 2);
	if (diff === undefined || inBody < 0 || inBody >= height || column < left) {
		return undefined;
	}

	const line = lineUnder(diff, offset + inBody - diff.from, column - left);
	return line && {at: indexOfLine(diff, line), resource: diff.resource};
};

/** Returns the first line that begins at or below a row and is in the file after the change. */
const firstLeft = (diff: DiffParts, row: number): PlacedLine | undefined => {
	for (const placed of linesFrom(diff, row)) {
		if (placed.line.kind !== 'removed') {
			return placed;
		}
	}

	return undefined;
};

/** Returns the view after a change of the diff's layout, with the visible and selected lines in place. */
export const relaid = (context: Context, change: Partial<View>): View => {
	const {view} = context;
	const {diff, offset} = bodyOf(context);
	const first = diff && firstLeft(diff, offset - diff.from);
	const scroll =
		diff === undefined || first === undefined || offset < diff.from
			? view.scroll
			: {path: first.path, number: first.number, below: diff.from + first.rows[0] - offset};
	const after = {...view, ...change, scroll};
	const {dialog} = view;
	if (dialog.kind !== 'lines' && dialog.kind !== 'comment') {
		return after;
	}

	const {files} = bodyOf({...context, view: after}).diff ?? {files: []};
	const moved = (at: number) => {
		const {line} = lineAtIndex(diff ?? {files: []}, at);
		return line === undefined ? -1 : indexOfLine({files}, line);
	};
	const {at, from} = dialog;
	return {...after, dialog: {...dialog, at: moved(at), from: from && moved(from)}};
};

/** Returns the visible part of growing text; it stays put once the person has scrolled up; see `scrollTo`. */
const following = (rows: Rows, height: number, scroll: View['scroll']): ScrolledBody =>
	fromTop(rows, height, typeof scroll !== 'number' || scroll === 0 ? rows.length : scroll - 1);

/** Returns the stored form of an offset in a place: at the end of growing text, that the end is followed. */
export const scrollTo = (place: Place, {last}: ScrolledBody, offset: number): number =>
	!grows(place) ? offset : offset >= last ? 0 : offset + 1;

/** Returns the visible rows of a body: search matches are highlighted, and in a diff the selected and commented lines are marked. */
export const rowsInSight = (context: Context, body: ScrolledBody): readonly Row[] => {
	const {view} = context;
	const {rows, offset, height, diff} = body;
	const words = wordsToMark(view);
	const shown = rows.slice(offset, offset + height);
	const inDiff = diff === undefined ? shown : diffInSight(context, {...body, diff}, shown);
	return words === ''
		? inDiff
		: inDiff.map((cells, index) =>
				marked(cells, words, offset + index === view.find.row ? 'selected' : 'found'),
			);
};

const diffInSight = (
	context: Context,
	{offset, diff}: ScrolledBody & {readonly diff: ShownDiff},
	shown: readonly Row[],
): readonly Row[] => {
	const {view, highlight} = context;
	const chosen = new Set(chosenLines(view, diff));
	const comments = commentsIn(view.drafts[letterOf(view)]);
	const draw: DrawLine = (placed, row, number) => {
		const text =
			highlight === undefined
				? (placed.cells[row - placed.rows[0]] ?? [])
				: withSyntax(highlight, linesAround(diff, placed), placed, row);
		const cells = [...number, ...text];
		const isChosen = chosen.has(placed);
		const told = isChosen ? cells.map(({text}) => span(text, 'selected')) : cells;
		return isCommented(placed, comments)
			? withMark(told, number.length > 0, span('●', 'warn'))
			: isChosen
				? withMark(told, number.length > 0, span('▸', 'selected'))
				: told;
	};

	return shown.map((plain, index) => {
		const row = offset - diff.from + index;
		const next = firstIndex(diff.files, ({rows: [from]}) => from >= row);
		return diff.files[next]?.rows[0] !== row
			? drawnRow(plain, diff, row, draw)
			: plain.map(cell => (cell.tone === 'file' ? linkedTo(context, cell) : cell));
	});
};

/**
Returns the name of a file as a link to the agent's worktree, if the diff shows one agent's work and the terminal has links.

A desktop chooses the program of a link by name and content. The agent controls both below its worktree, even after a link is shown, so the link leads to the worktree only.
*/
export const linkedTo = ({model, view, addressOf}: Context, name: Span): Span => {
	const {place} = view;
	const item = place.at === 'item' ? itemOf(model.state, place.item) : undefined;
	const agent = place.at === 'agent' ? place.agent : item && agentOfItem(item);
	return agent === undefined || addressOf === undefined ? name : {...name, link: addressOf(agent)};
};

/** Puts a mark into a blank column: before a line's number, or after its sign; it shows without colours, too. */
const withMark = ([first, ...cells]: Row, isNumbered: boolean, mark: Span): Row => {
	const text = first?.text ?? '';
	const told = isNumbered ? `${mark.text}${text.slice(1)}` : `${text.slice(0, -1)}${mark.text}`;
	return [span(told, mark.tone), ...cells];
};

export const grows = (place: Place): boolean =>
	place.at === 'log' || place.at === 'check' || (place.at === 'agent' && place.show === 'words');

/** Returns how much of the content does not fit, so that a part is not taken for the whole, whether the end is followed, and the number of the current search match. */
export const positionInBody = (
	context: Context,
	{rows, height, offset, last}: ScrolledBody,
): Row => {
	const {find, place} = context.view;
	const isEnd = offset === last;
	const more = isEnd ? '' : grows(place) ? ` ↓ ${actionKey(context, 'bottom')}: follow` : ' ↓';
	const shown = `${offset + 1}–${Math.min(rows.length, offset + height)} of ${rows.length}`;
	return [
		...(find.row === undefined ? [] : [matchSpan(foundIn(rows, find.words), find.row)]),
		...(last === 0
			? []
			: [
					span(
						`${grows(place) && isEnd ? 'following  ' : ''}${shown}${more}`,
						isEnd ? 'dim' : 'info',
					),
				]),
	];
};

/** Returns the number of the current match, which new rows may have moved. */
const matchSpan = (found: readonly number[], row: number): Span =>
	span(
		found.includes(row)
			? `match ${found.indexOf(row) + 1} of ${found.length}  `
			: `${found.length} found  `,
		'info',
	);

/** Returns the diff of an agent's last snapshot, or a part of it. */
const workOf = (context: Context, id: string): ReturnType<typeof diffBody> => {
	const {model, view} = context;
	const key = asWanted(shownWorkKey(model.state, id, view), view);
	const marks = marksOfWork(model.state, id);
	const wanted = {key, marks, files: filesIn(model, key), none: 'It has changed nothing yet.'};
	return diffBody(context, wanted, view.size.columns - 2);
};

/** Returns the transcript of an agent, as far as it is kept, or the facts about it. */
const agentRows = (
	{model, view}: Context,
	{agent: id, show}: Extract<Place, {at: 'agent'}>,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (show === 'about') {
		return agent === undefined ? [] : factsOfAgent(model, agent, view.size.columns);
	}

	const rows = agent === undefined ? [] : storyRows(model, agent, view.size.columns);
	return rows.length === 0 ? setupRows(model, id, view.size.columns) : rows;
};

/** Returns the output of an agent's setup, which runs before the agent says anything. */
const setupRows = ({tails}: Model, agent: string, columns: number): readonly Row[] => {
	const lines = tails[setupTail(agent)] ?? [];
	return lines.length === 0
		? [row('It has said nothing yet.', 'dim')]
		: lines.flatMap(line => lineRows(withoutColors(line), columns));
};

/** Returns the output of the merged result's check, as far as it is kept, with its commands highlighted. */
const checkRows = ({model, view}: Context): readonly Row[] => {
	const lines = model.tails[checkTail] ?? [];
	const {columns} = view.size;
	return lines.length === 0
		? [row('It has printed nothing yet.', 'dim')]
		: lines.flatMap(line => lineRows(withoutColors(line), columns));
};

/** Wraps a line, since there is no horizontal scrolling, and a test's expectation may be far to the right. */
const lineRows = (line: string, columns: number): readonly Row[] => {
	const tone = line.startsWith('$ ') ? 'strong' : 'plain';
	return line.length <= columns ? [row(line, tone)] : paragraph(line, columns, tone);
};

/** Returns the findings between two sides, each with the lines of both; text of agents and files is behind bars. */
const findingsRows = (
	{model, view}: Context,
	{between}: Extract<Place, {at: 'findings'}>,
): readonly Row[] => {
	const {columns} = view.size;
	const meeting = meetingOf(model.state, ...between);
	const intro = [...paragraph(meetingText(model.state, between), columns), blank];
	if (meeting.standing !== 'compared') {
		return intro;
	}

	const {a, b, findings, more} = meeting;
	return [
		...intro,
		...findings.flatMap(finding => findingRows(finding, {a, b}, columns)),
		...(more > 0 ? paragraph(`And ${more} more, which were counted and not kept.`, columns) : []),
	];
};

type Names = Readonly<Record<Evidence['side'], string>>;

const findingRows = (finding: Finding, names: Names, columns: number): readonly Row[] => {
	const {type, rule, blocking, confidence, summary, confirmed, evidence} = finding;
	const [weight, tone] = blocking
		? (['✗ blocks', 'bad'] as const)
		: ([`! note, ${confidence} confidence`, 'warn'] as const);
	return [
		[span(weight, tone), span(`  ${type} ${rule}`, 'strong')],
		...quoted(summary, columns),
		...(confirmed === undefined
			? []
			: [row('Confirmed by', 'dim'), ...quoted(`${confirmed.by}: ${confirmed.text}`, columns)]),
		...evidence.flatMap(one => evidenceRows(one, names[one.side], columns)),
		blank,
	];
};

const evidenceRows = (
	{path, line, text, removed, section}: Evidence,
	name: string,
	columns: number,
): readonly Row[] => [
	[span(name, 'strong'), ...(removed ? [span(' took out', 'dim')] : [])],
	...quotedExactly(line === undefined ? path : `${path}:${line}`, columns, 'location'),
	...(section === undefined ? [] : quotedExactly(`in ${section}`, columns, 'dim')),
	...(text === undefined ? [] : quotedExactly(text, columns, removed ? 'removed' : 'plain')),
];

/** Returns the keys of the place that the help was opened from, with the reason for unavailable ones. */
const helpRows = (context: Context, {back}: Extract<Place, {at: 'help'}>): readonly Row[] => {
	const {columns} = context.view.size;
	const view = {...context.view, place: back, dialog: {kind: 'none'} as const};
	const there: Context = {...context, view};
	const here = offeredHere(there).filter(isListed);
	const own = here.filter(({where}) => !where.includes('everywhere'));
	const inField = back.at === 'plan' ? context.table.filter(isInField) : [];
	return [
		...section(
			`Here (${nameOf(back)})`,
			own.flatMap(action => keyRows(there, action, columns)),
		),
		...section(
			'While you write in a field',
			inField.flatMap(action => keyRows(there, action, columns)),
		),
		...section(
			'Everywhere',
			here
				.filter(action => !own.includes(action))
				.flatMap(action => keyRows(there, action, columns)),
		),
		...section(
			'Good to know',
			worthKnowing(context.model, back).flatMap(sentence => paragraph(sentence, columns)),
		),
	];
};

const isInField = ({where}: Action): boolean => where.includes('field');

const worthKnowing = ({mode}: Model, place: Place): readonly string[] =>
	mode.kind === 'replay'
		? ['This is a recording: you can look at everything in it, and change nothing.']
		: place.at === 'plan'
			? worthKnowingOfPlans
			: worthKnowingLive;

const worthKnowingOfPlans = [
	'Your plan is checked while you write it, as a plan file is when you run it.',
	'Comments of a plan file, and environments of its agents, stay in it when you save.',
	'A line of a check that begins with a space continues the command above.',
	'You can paste text into the current field, whether you write there or not.',
] as const;

const worthKnowingLive = [
	'Leaving, closing or killing the screen harms nothing: the session goes on.',
	'A key for something that has changed since you opened it does nothing, and says so.',
	'You can paste text wherever you write, even several lines.',
] as const;

const nameOf = (place: Place): string => (place.at === 'item' ? place.item : place.at);

/** Returns facts about an agent beside its words: its subtask and scope, its usage, and its changes. */
const factsOfAgent = (model: Model, agent: Agent, columns: number): readonly Row[] => {
	const {tokens = 0, tokenBudget} = agent;
	const conditions = conditionsNow(model, agent).map(({text}) => text);
	return [
		...section('Worth a look', bullets(conditions, columns)),
		...section(agent.id, [
			...taskFacts(model, agent, columns),
			...fact(
				'Has worked',
				`${workedText(agent, model)} of ${formatDuration(agent.timeoutMs)}`,
				columns,
			),
			...fact('Uses', usesText(loadNow(model.activities, agent)), columns),
			...fact(
				'Tokens',
				tokenBudget === undefined
					? undefined
					: `${countText(model.activities[agent.id]?.spent.tokens ?? tokens)} of ${countText(tokenBudget)}`,
				columns,
			),
		]),
		...blockRows(updateBlocks(reportDetail(agent)), columns),
		...section('Changed files', changedRows(model, agent, columns)),
		...section('Allowed for the session', allowedRows(model, agent, columns)),
	];
};

/** Returns the usage of processes; shared memory counts for each of them, so it is a little too high. */
const usesText = (load: Activity['load']): string | undefined =>
	load &&
	`${loadTexts(load).join(', ')} in ${load.processes === 1 ? 'one process' : `${load.processes} processes`}`;

const changedRows = (model: Model, agent: Agent, columns: number): readonly Row[] => {
	const {paths = []} = model.activities[agent.id]?.changed ?? {};
	const left = (changedFileCount(model, agent) ?? 0) - paths.length;
	return paths.length === 0
		? [row('none that is known', 'dim')]
		: [...bullets(paths, columns), ...(left > 0 ? [row(`and ${left} more`, 'dim')] : [])];
};

const allowedRows = (model: Model, {id}: Agent, columns: number): readonly Row[] => {
	const allowed = allowancesOf(model.state.allowances, id);
	return allowed.length === 0
		? []
		: [
				...bullets(
					allowed.map(
						({id, pattern, agent}) => `${id} ${pattern}${agent === null ? ' (every agent)' : ''}`,
					),
					columns,
				),
				row(`to take one back: delegate-tui agent ${id} withdraw ID`, 'dim'),
			];
};
