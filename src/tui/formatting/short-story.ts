import type {Passage} from '../../client/activity/account.ts';
import type {Model} from '../../client/model.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {type Row, row, span} from '../rows/row.ts';
import {isUnderWay} from './agent-look.ts';
import {presenceOf} from './doing.ts';
import {spoken} from './spoken.ts';
import {type Presence, standingOf, toolRow} from './tool-look.ts';

/** Rows that a run of tool calls takes at most: its end, below how many came before. */
const maximumRun = 3;

/** In so few rows only the last of a run is told, so that the words before it are seen as well. */
const fewRows = 5;

type Part =
	| {readonly kind: 'words'; readonly text: string}
	| {readonly kind: 'action'; readonly passage: Passage};

/** Returns the last rows of what an agent said and did: its words, and between them its tool calls in a row each. */
export const shortStory = (model: Model, agent: Agent, height: number): readonly Row[] => {
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

/** So many parts are looked at. */
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

/** The last of a run, behind how many came before. */
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
