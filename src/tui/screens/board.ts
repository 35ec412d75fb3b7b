import type {Model} from '../../client/model.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {stateSpan} from '../formatting/agent-look.ts';
import {checkOf} from '../formatting/check-look.ts';
import type {Context, View} from '../model/view.ts';
import {fitted, type Row, row, ruleRow, sideBySide, span} from '../rows/row.ts';
import {frameRows} from './item-layout.ts';
import {logRows} from './log-rows.ts';
import {checkPane, mergedPane, pane, wantedRows} from './pane.ts';
import {timelineRows} from './timeline.ts';

const maximumPanes = 3;

/** Minimum columns of panes side by side; below that, each has the whole width and fewer rows. */
const fewestPaneColumns = 49;

/** Minimum share of the board for the running check: no agent is working at that time. */
const checkShare = 0.4;

const fewestForTimeline = 30;

/** Minimum rows of the part below the panes. */
const fewestBelow = 5;

/** Lays out the board: rows above its panes, the panes with the width of each, and the number of rows of the running check and of the log below them. */
const layOut = (context: Context, height: number) => {
	const {model, view} = context;
	const {columns} = view.size;
	const {agents} = model.state;
	const focused = focusedIn(view, agents);
	const most = view.isZoomed ? 1 : maximumPanes;
	const first = view.isZoomed
		? focused
		: Math.min(Math.max(0, focused - 1), Math.max(0, agents.length - most));
	const shown = agents.slice(first, first + most);
	const beside = Math.floor((columns - gap * (shown.length - 1)) / shown.length);
	const isWide = shown.length > 1 && beside >= fewestPaneColumns;
	const list = agents.length > most ? [listRow(model.state, focused)] : [];
	const merged = model.state.publications.at(-1);
	const numbered = shown.map((agent, index) => ({agent, number: first + index + 1}));
	const above = [
		...(view.size.rows < fewestForTimeline ? [] : timelineRows(model, numbered, columns)),
		...(merged === undefined ? [] : mergedPane(context, merged)),
		...list,
	];
	const width = isWide ? beside : columns;
	const wanted = shown.map(agent => wantedRows(model, agent, width));
	const below = height - above.length;
	const left = view.isZoomed ? 0 : rowsLeft(wanted, below, isWide);
	const isChecked = checkOf(model)?.phase === 'running';
	const checked = isChecked ? Math.max(left, Math.floor(height * checkShare)) : 0;
	const told = isChecked ? 0 : left;
	const room = below - checked - told;
	const heights = isWide ? shown.map(() => room) : sharedRows(wanted, room);
	const panes = numbered.map((one, index) => ({...one, height: heights[index] ?? 0}));
	return {above, panes, width, isWide, checked, told};
};

/** Returns the rows that panes leave to the part below them; side by side, a pane that wants any number takes two thirds. */
const rowsLeft = (wanted: readonly number[], room: number, isWide: boolean): number => {
	const all = isWide ? Math.max(...wanted) : wanted.reduce((sum, rows) => sum + rows, 0);
	const left = Number.isFinite(all) ? room - all : isWide ? Math.floor(room / 3) : 0;
	return left < fewestBelow ? 0 : left;
};

const focusedIn = ({agent}: View, agents: readonly Agent[]): number =>
	Math.max(
		0,
		agents.findIndex(({id}) => id === agent),
	);

/** Returns the agent whose pane is at a cell of the screen. */
export const agentAt = (context: Context, row: number, column: number): string | undefined => {
	const {above, panes, width, isWide} = layOut(
		context,
		context.view.size.rows - frameRows(context),
	);
	// The first row of the screen is the title.
	const down = row - 1 - above.length;
	let end = 0;
	const at = panes.findIndex(({height}, index) => {
		end += isWide && index > 0 ? 0 : height;
		return isWide ? column < (index + 1) * (width + gap) && down < end : down < end;
	});
	return down < 0 ? undefined : panes[at]?.agent.id;
};

/** Returns all agents at a glance, with the timeline and the last merge above them, and the running check or the end of the log below them. */
export const boardView = (context: Context, height: number): readonly Row[] => {
	const {model, view} = context;
	const {columns} = view.size;
	const {agents} = model.state;
	if (agents.length === 0) {
		return [
			model.trouble === undefined
				? row('The session is starting …', 'dim')
				: row('The session can’t be read.', 'warn'),
		];
	}

	const {above, panes, width, isWide, checked, told} = layOut(context, height);
	const focused = focusedIn(view, agents);
	const drawn = panes.map(({agent, number, height}) => ({
		columns: width,
		rows: pane(model, agent, {
			...{number, height},
			isFocused: number === focused + 1,
			columns: width,
		}),
	}));
	const check = checkOf(model);
	return [
		...above,
		...(isWide ? sideBySide(drawn, [span(' '.repeat(gap))]) : drawn.flatMap(({rows}) => rows)),
		...(check?.phase === 'running' ? checkPane(model, check, {columns, height: checked}) : []),
		...(told === 0 ? [] : logPane(model, columns, told)),
	];
};

/** Returns the end of the log, in the rows that no pane needs. */
const logPane = ({log}: Model, columns: number, height: number): readonly Row[] =>
	fitted([ruleRow(columns, [span('Log', 'strong')]), ...logRows(log).slice(1 - height)], height);

/** Columns between panes. */
const gap = 2;

/** Minimum rows of a working agent's pane, if others want more. */
const fewestAtWork = 4;

/** Shares rows among panes: each gets the rows that it wants, as far as they go, and those that want any number share the rest. */
const sharedRows = (wanted: readonly number[], room: number): readonly number[] => {
	const heights = wanted.map(() => 0);
	const order = [...wanted.entries()].toSorted(([, one], [, other]) => (one < other ? -1 : 1));
	let left = room;
	for (const [served, [index, want]] of order.entries()) {
		const rest = order.slice(served);
		const bounded = rest.filter(([, one]) => Number.isFinite(one)).length;
		const kept = (rest.length - bounded) * fewestAtWork;
		const share = Math.floor(bounded === 0 ? left / rest.length : (left - kept) / bounded);
		// The pane that wants most gets the remaining rows.
		const height = rest.length === 1 ? left : Math.max(0, Math.min(want, share));
		heights[index] = height;
		left -= height;
	}

	return heights;
};

const listRow = (state: State, focused: number): Row =>
	state.agents.flatMap((agent, index) => {
		const {tone, text} = stateSpan(state, agent);
		return [
			span(`${index + 1} ${agent.id}`, index === focused ? 'selected' : 'plain'),
			span(` ${text.charAt(0)}  `, tone),
		];
	});
