import type {Passage} from '../../client/activity/account.ts';
import type {Model} from '../../client/model.ts';
import {checkTail, setupTail} from '../../client/tails.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {Publication} from '../../state/merge/merge.ts';
import {isGivenUp} from '../../state/select.ts';
import {actionKey} from '../action.ts';
import {
	broughtSpans,
	isUnderWay,
	numbersRow,
	presenceOf,
	stateSpan,
	waitingItem,
	waitingRow,
} from '../formatting/agent-look.ts';
import {checkSpan, type ShownCheck} from '../formatting/check-look.ts';
import {labelled, mergedRows, mergedSpan} from '../formatting/matrix-rows.ts';
import {type Presence, spoken, standingOf, toolRow} from '../formatting/spoken.ts';
import type {Context} from '../model/view.ts';
import {fitted, type Row, row, ruleRow, type Span, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {paneItemRows} from './pane-item.ts';

/** Position of an agent on the board, and the size of its pane. */
type PanePlace = {
	readonly number: number;
	readonly isFocused: boolean;
	readonly columns: number;
	readonly height: number;
};

/** Returns the pane of one agent on the board: its name and state, its wait or action, and its last words and actions. */
export const pane = (
	model: Model,
	agent: Agent,
	{number, isFocused, columns, height}: PanePlace,
): readonly Row[] => {
	const title = titleRule(
		columns,
		span(`${number} ${agent.id} ${agent.subtask.subtask}`, isFocused ? 'selected' : 'strong'),
		stateSpan(model.state, agent),
	);
	const told = [...waitingRow(model, agent), ...broughtSpans(agent)];
	const waits: readonly Row[] = told.length === 0 ? [] : [[span('  '), ...told]];
	if (height < furniture) {
		return fitted([title, [...waits.flat(), ...progressRow(agent, model)]], height);
	}

	const room = height - 2 - waits.length;
	const item = waitingItem(model.state, agent);
	const asked =
		item === undefined ? [] : paneItemRows(model, item, {columns, height: room, isFocused});
	const story = shortStory(model, agent, room - asked.length);
	return fitted([title, progressRow(agent, model), ...waits, ...asked, ...story], height);
};

/** Rows of a pane's title, of its numbers, and of its wait. */
const furniture = 3;

/** Maximum rows that the pane of a waiting agent takes from those of working ones. */
const mostAsked = 12;

/** Returns the number of rows that an agent's pane can use: any number if it works, those of its item if it waits, and two if it has finished. */
export const wantedRows = (model: Model, agent: Agent, columns: number): number => {
	const item = waitingItem(model.state, agent);
	if (item !== undefined) {
		const place = {columns, height: mostAsked, isFocused: false};
		return furniture + paneItemRows(model, item, place).length + 2;
	}

	return isUnderWay(agent) ? Number.POSITIVE_INFINITY : furniture - 1;
};

const titleRule = (columns: number, title: Span, state: Span): Row => {
	const room = Math.max(8, columns - state.text.length - 7);
	return ruleRow(columns, [{...title, text: cut(title.text, room)}], [state]);
};

const barColumns = 10;

const progressRow = (agent: Agent, model: Model): Row => {
	const {progress} = agent;
	const numbers = numbersRow(agent, model);
	if (progress === null || agent.verdict.kind === 'accepted') {
		return [span('  '), ...numbers];
	}

	// An agent's own 100 % must not look like a completed agent.
	const most = isUnderWay(agent) ? 99 : 100;
	const percent = Math.round(Math.min(most, Math.max(0, progress)));
	const done = Math.floor((percent / 100) * barColumns);
	return [
		span('  '),
		span('━'.repeat(done), isGivenUp(agent) ? 'dim' : 'good'),
		span('─'.repeat(barColumns - done), 'dim'),
		span(` ${percent} %  `, 'strong'),
		...numbers,
	];
};

type RunningCheck = Extract<ShownCheck, {phase: 'running'}>;

/** Returns the running check for the board: the command, its duration, and its last output. */
export const checkPane = (
	model: Model,
	check: RunningCheck,
	{columns, height}: {readonly columns: number; readonly height: number},
): readonly Row[] => {
	const lines = (model.tails[checkTail] ?? []).slice(1 - height);
	return fitted(
		[
			titleRule(columns, span(`Check: ${check.command}`, 'strong'), checkSpan(check)),
			...(lines.length === 0
				? [row('  It has printed nothing yet.', 'dim')]
				: lines.map(line => row(`  ${withoutColors(line)}`))),
		],
		height,
	);
};

/** Returns the newest merge, for the board: its content, its check, and the keys that push or undo it. */
export const mergedPane = (context: Context, merged: Publication): readonly Row[] => {
	const {model, view} = context;
	const {columns, rows} = view.size;
	const {session} = model.state;
	// During the session, its agents get the rows of a small screen.
	const isWhole = session?.ended !== undefined || rows >= fewestForMerge;
	return [
		titleRule(columns, span(`Merged into ${session?.target ?? ''}`, 'strong'), {
			...mergedSpan(merged),
			link: pageOf(context, merged),
		}),
		...mergedRows(model, merged, columns).slice(0, isWhole ? undefined : 1),
		...keysOfMerge(context, merged),
	];
};

/** Returns the URL of a pushed merge's page, for terminals that show hyperlinks; the page exists only after the push. */
const pageOf = ({model, addressOf}: Context, {built}: Publication): string | undefined => {
	const pages = model.log.flatMap(({event}) =>
		event.kind === 'push.changed' && event.to === 'done' && event.commit === built.commit
			? (event.page ?? [])
			: [],
	);
	return addressOf === undefined
		? undefined
		: pages.findLast(page => /^https:\/\/[\w./~-]+$/.test(page));
};

const fewestForMerge = 40;

const keysOfMerge = (context: Context, {phase}: Publication): readonly Row[] => {
	const key = (name: string): Span => span(actionKey(context, name), 'key');
	if (context.model.mode.kind === 'replay' || phase === 'outdated') {
		return [];
	}

	const [first, ...rest] =
		phase === 'standing'
			? [key('undo'), span(' takes it back   '), key('publish'), span(' publishes it')]
			: [key('redo'), span(' brings it back')];
	return first === undefined ? [] : [[...labelled('Keys', first), ...rest]];
};

/** Maximum rows of a run of tool calls: its end, below the number of earlier ones. */
const maximumRun = 3;

/** Number of rows up to which only the last call of a run is shown, so that the words before it fit, too. */
const fewRows = 5;

type Part =
	| {readonly kind: 'words'; readonly text: string; readonly isProgress?: boolean | undefined}
	| {readonly kind: 'action'; readonly passage: Passage};

/** Returns the last rows of an agent's transcript: its words, with a row for each tool call between them. */
const shortStory = (model: Model, agent: Agent, height: number): readonly Row[] => {
	const {passages} = model.activities[agent.id] ?? {passages: []};
	const presence = presenceOf(agent, model.now);
	const lines = spoken(
		model.tails[agent.id] ?? [],
		isUnderWay(agent) ? 'reported elsewhere' : 'reported here',
	);
	const actions = passages.filter(({passage}) => isTold(passage, presence));
	const parts: Part[] = [];
	let next = 0;
	for (const {at, text, isProgress} of lines) {
		for (; (actions[next]?.before ?? Number.POSITIVE_INFINITY) <= at; next++) {
			parts.push(...actionsOf(actions[next]));
		}

		const before = parts.at(-1);
		// Of adjacent reports of progress, a pane shows only the last.
		if (isProgress && before?.kind === 'words' && before.isProgress) {
			parts.pop();
		}

		parts.push({kind: 'words', text, isProgress});
	}

	parts.push(...actions.slice(next).flatMap(actionsOf));
	if (height <= 0) {
		return [];
	}

	return parts.length === 0
		? setupLines(model, agent.id).slice(-height)
		: folded(parts.slice(-looked), presence, height).slice(-height);
};

/** Returns the output of an agent's setup while it runs. */
const setupLines = ({tails}: Model, agent: string): readonly Row[] =>
	(tails[setupTail(agent)] ?? []).map(line => row(`  ${withoutColors(line)}`, 'dim'));

const looked = 300;

const actionsOf = (placed: {readonly passage: Passage} | undefined): readonly Part[] =>
	placed === undefined ? [] : [{kind: 'action', passage: placed.passage}];

/** Returns whether a passage is shown in a pane: not running tools, thoughts and plans, which are shown elsewhere. */
const isTold = (passage: Passage, presence: Presence): boolean => {
	switch (passage.kind) {
		case 'tool':
			return standingOf(passage, presence) !== 'running';
		case 'refusal':
		case 'retrying':
		case 'trouble':
			return true;
		default:
			return false;
	}
};

const folded = (parts: readonly Part[], presence: Presence, height: number): readonly Row[] => {
	const rows: Row[] = [];
	for (let at = 0; at < parts.length; ) {
		const part = parts[at];
		if (part?.kind === 'words') {
			rows.push(row(`  ${part.text}`));
			at++;
			continue;
		}

		const end = parts.findIndex(({kind}, index) => index > at && kind === 'words');
		const run = parts.slice(at, end === -1 ? undefined : end);
		const isTight = height < fewRows;
		rows.push(...(isTight ? tightRows(run, presence) : runRows(run, presence)));
		at += run.length;
	}

	return rows;
};

const tightRows = (run: readonly Part[], presence: Presence): readonly Row[] => {
	const before = run.length - 1;
	const told = before === 0 ? [] : [span(`  … ${before} before`, 'dim')];
	return rowsOf(run.slice(-1), presence).map(row => [...told, ...row]);
};

const runRows = (run: readonly Part[], presence: Presence): readonly Row[] => {
	const before = run.length - maximumRun + 1;
	return [
		...(before > 1 ? [row(`  … ${before} actions before`, 'dim')] : []),
		...rowsOf(before > 1 ? run.slice(1 - maximumRun) : run, presence),
	];
};

const rowsOf = (run: readonly Part[], presence: Presence): readonly Row[] =>
	run.flatMap((part): Row[] => (part.kind === 'action' ? [actionRow(part.passage, presence)] : []));

const actionRow = (passage: Passage, presence: Presence): Row => {
	switch (passage.kind) {
		case 'tool':
			return [span('  '), ...toolRow(passage, presence)];
		case 'refusal':
			return [span('  '), span(`! blocked: ${passage.title}`, 'warn')];
		case 'retrying':
			return [span('  '), span(`! tries its model again: ${passage.why}`, 'warn')];
		case 'trouble':
			return [span('  '), span(`! ${passage.text.replaceAll(/\s+/g, ' ')}`, 'warn')];
		default:
			return [];
	}
};
