import type {EventLine, Model} from '../../client/model.ts';
import type {AgentState} from '../../events/event.ts';
import {elapsedMs, runningText, timeOfDay} from '../../lib/text/duration.ts';
import {oncePer} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {looks} from '../formatting/agent-look.ts';
import {type Row, ruleRow, type Span, span} from '../rows/row.ts';

/** Returns a timeline of agents' work, waits and results, as far back as the log is kept; nothing before the first event. */
export const timelineRows = (
	{log, now, state}: Model,
	agents: readonly {readonly agent: Agent; readonly number: number}[],
	columns: number,
): readonly Row[] => {
	const [first] = log;
	if (first === undefined) {
		return [];
	}

	const since = first.event.at;
	const until = state.session?.ended ? state.at : now;
	const scale = {since, ms: Math.max(1, elapsedMs(since, until)), cells: columns - labelColumns};
	const isWhole = first.event.seq === 1;
	const legend = [span('━', 'warn'), span(' waits for you  ', 'dim'), ...marksTold];
	return [
		ruleRow(
			columns,
			[span(clock(since)), span('  '), ...legend],
			[span(`${isWhole ? '' : 'last '}${runningText(scale.ms)}  ${clock(until)}`)],
		),
		...agents.map(({agent, number}) => [
			span(`  ${number} `.padEnd(labelColumns), 'dim'),
			...lifeOf(turnsIn(log), agent, scale),
		]),
	];
};

const labelColumns = 5;

const clock = (at: string): string => timeOfDay(at).slice(0, 5);

type Scale = {readonly since: string; readonly ms: number; readonly cells: number};

/** States that are marked, since an agent enters them rarely. */
const marked = ['CHECKPOINT', 'COMPLETE', 'FAILED', 'MERGED', 'ABORTED'] as const;

const marksTold: readonly Span[] = (
	[
		['CHECKPOINT', 'checkpoint'],
		['COMPLETE', 'done'],
		['MERGED', 'merged'],
	] as const
).flatMap(([state, word]) => [span(looks[state][0], looks[state][1]), span(` ${word}  `, 'dim')]);

const [rests, works, waits] = [span(' '), span('─', 'dim'), span('━', 'warn')];

/** Returns the events that begin or end an agent's work or wait, cached for all frames: they are few of the log. */
const turnsIn = oncePer((log: readonly EventLine[]) =>
	log.filter(
		({event, waiting}, index) =>
			event.kind === 'agent.moved' ||
			waiting.join(' ') !== (log[index - 1]?.waiting ?? []).join(' '),
	),
);

/** Returns the cell of a time; a time before the first, by a clock that was set back, is in the first cell. */
const cellAt = ({since, ms, cells}: Scale, at: string): number =>
	Math.max(0, Math.min(cells - 1, Math.floor((elapsedMs(since, at) / ms) * cells)));

const isAtWork = (state: AgentState): boolean =>
	state === 'SPAWNING' || state === 'RUNNING' || state === 'CHECKPOINT';

/** Draws each event over the rest of the row, so that the next one draws over that. */
const lifeOf = (turns: readonly EventLine[], agent: Agent, scale: Scale): Row => {
	const moves = turns.flatMap(({event}) =>
		event.kind === 'agent.moved' && event.agent === agent.id ? [event] : [],
	);
	let state = moves[0]?.from ?? agent.state;
	let stands = isAtWork(state) ? works : rests;
	const drawn = Array.from({length: scale.cells}, () => stands);
	const marks = new Map<number, Span>();
	for (const {event, waiting} of turns) {
		if (event.kind === 'agent.moved' && event.agent === agent.id) {
			state = event.to;
			if (marked.some(one => one === state)) {
				marks.set(cellAt(scale, event.at), span(...looks[state]));
			}
		}

		const next = waiting.includes(agent.id) ? waits : isAtWork(state) ? works : rests;
		if (next !== stands) {
			stands = next;
			drawn.fill(stands, cellAt(scale, event.at));
		}
	}

	return drawn.map((cell, index) => marks.get(index) ?? cell);
};
