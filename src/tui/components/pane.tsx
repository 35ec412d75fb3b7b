import {ProgressBar} from '@inkjs/ui';
import {Box} from 'ink';
import type {Passage} from '../../client/activity/account.ts';
import type {Model} from '../../client/model.ts';
import {checkTail} from '../../client/tails.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {
	broughtSpans,
	isUnderWay,
	numbersRow,
	presenceOf,
	stateSpan,
	waitingRow,
} from '../formatting/agent-look.ts';
import {type Check, checkSpan} from '../formatting/check-look.ts';
import {type mergedOf, mergedRows, mergedSpan} from '../formatting/matrix-rows.ts';
import {type Presence, spoken, standingOf, toolRow} from '../formatting/spoken.ts';
import {type Row, row, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {Line, Rows, Rule} from './rows.tsx';

type PaneProps = {
	readonly model: Model;
	readonly agent: Agent;
	readonly number: number;
	readonly isFocused: boolean;
	readonly columns: number;
	readonly height: number;
};

/** One agent on the board: who it is, how it stands, what it waits for or does, and the last that it said and did. */
export const Pane = ({model, agent, number, isFocused, columns, height}: PaneProps) => {
	const words = Math.max(0, height - 3);
	const state = stateSpan(agent);
	const title = cut(
		`${number} ${agent.id} ${agent.subtask.subtask}`,
		Math.max(8, columns - state.text.length - 7),
	);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule
				columns={columns}
				left={[span(title, isFocused ? 'selected' : 'strong')]}
				right={[state]}
			/>
			<Numbers agent={agent} model={model} />
			<Rows
				rows={[
					[span('  '), ...waitingRow(model, agent), ...broughtSpans(agent)],
					...shortStory(model, agent, words),
				]}
				height={words + 1}
			/>
		</Box>
	);
};

const barColumns = 10;

type NumbersProps = {readonly agent: Agent; readonly model: Model};

const Numbers = ({agent, model}: NumbersProps) => {
	const {progress} = agent;
	return (
		<Box height={1} overflow="hidden" flexShrink={0} paddingLeft={2} columnGap={1}>
			{progress !== null && (
				<Box width={barColumns} flexShrink={0}>
					<ProgressBar value={progress} />
				</Box>
			)}
			<Line
				row={[
					span(progress === null ? '' : `${Math.round(progress)} %  `, 'strong'),
					...numbersRow(agent, model),
				]}
			/>
		</Box>
	);
};

type CheckPaneProps = {
	readonly model: Model;
	readonly check: Extract<Check, {phase: 'running'}>;
	readonly columns: number;
	readonly height: number;
};

/** The running check on the board: which command, for how long, and the last that it printed. */
export const CheckPane = ({model, check, columns, height}: CheckPaneProps) => {
	const state = checkSpan(check);
	const title = cut(`Check: ${check.command}`, Math.max(8, columns - state.text.length - 7));
	const lines = (model.tails[checkTail] ?? []).slice(1 - height);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule columns={columns} left={[span(title, 'strong')]} right={[state]} />
			<Rows
				rows={
					lines.length === 0
						? [row('  It has printed nothing yet.', 'dim')]
						: lines.map(line => row(`  ${withoutColors(line)}`))
				}
				height={height - 1}
			/>
		</Box>
	);
};

/** Rows that the pane takes: its title, and what was merged. */
export const mergedPaneRows = 5;

type MergedPaneProps = {
	readonly model: Model;
	readonly merged: NonNullable<ReturnType<typeof mergedOf>>;
	readonly columns: number;
};

/** What came of the session, on the board once it has ended. */
export const MergedPane = ({model, merged, columns}: MergedPaneProps) => {
	const state = mergedSpan(merged);
	const title = `Merged into ${model.state.session?.target ?? ''}`;
	return (
		<Box
			flexDirection="column"
			width={columns}
			height={mergedPaneRows}
			overflow="hidden"
			flexShrink={0}
		>
			<Rule
				columns={columns}
				left={[span(cut(title, Math.max(8, columns - state.text.length - 7)), 'strong')]}
				right={[state]}
			/>
			<Rows rows={mergedRows(model, merged, columns)} height={mergedPaneRows - 1} />
		</Box>
	);
};

/** Rows that a run of tool calls takes at most: its end, below how many came before. */
const maximumRun = 3;

/** In so few rows only the last of a run is told, so that the words before it are seen as well. */
const fewRows = 5;

type Part =
	| {readonly kind: 'words'; readonly text: string}
	| {readonly kind: 'action'; readonly passage: Passage};

/** Returns the last rows of what an agent said and did: its words, and between them its tool calls in a row each. */
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
	for (const {at, text} of lines) {
		for (; (actions[next]?.before ?? Number.POSITIVE_INFINITY) <= at; next++) {
			parts.push(...actionsOf(actions[next]));
		}

		parts.push({kind: 'words', text});
	}

	parts.push(...actions.slice(next).flatMap(actionsOf));
	return height <= 0 ? [] : folded(parts.slice(-looked), presence, height).slice(-height);
};

const looked = 300;

const actionsOf = (placed: {readonly passage: Passage} | undefined): readonly Part[] =>
	placed === undefined ? [] : [{kind: 'action', passage: placed.passage}];

/** What runs is told above, what was thought is gone, and a plan is where the agent stands. */
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
