import type {EventLine, Model} from '../../client/model.ts';
import {elapsedMs, runningText} from '../../lib/text/duration.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {looks} from '../formatting/agent-look.ts';
import {type Row, ruleRow, type Span, span} from '../rows/row.ts';

/** Returns when each of some agents worked, waited for a person, and came to what; nothing before there is anything to tell. */
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
	const legend = [span('━', 'warn'), span(' waits for you  ', 'dim'), ...marksTold];
	return [
		ruleRow(
			columns,
			[span(clock(since)), span('  '), ...legend],
			[span(`${runningText(scale.ms)}  ${clock(until)} UTC`)],
		),
		...agents.map(({agent, number}) => [
			span(`  ${number} `.padEnd(labelColumns), 'dim'),
			...lifeOf(log, agent.id, scale),
		]),
	];
};

const labelColumns = 5;

/** The log tells of the same times in the same zone. */
const clock = (at: string): string => at.slice(11, 16);

type Scale = {readonly since: string; readonly ms: number; readonly cells: number};

/** States that an agent comes to once in a while, and that are worth a mark. */
const marked = ['CHECKPOINT', 'COMPLETE', 'FAILED', 'MERGED', 'ABORTED'] as const;

const marksTold: readonly Span[] = (
	[
		['CHECKPOINT', 'checkpoint'],
		['COMPLETE', 'done'],
		['MERGED', 'merged'],
	] as const
).flatMap(([state, word]) => [span(looks[state][0], looks[state][1]), span(` ${word}  `, 'dim')]);

const [rests, works, waits] = [span(' '), span('─', 'dim'), span('━', 'warn')];

/** Draws each event over all that comes after it, so that the next one draws over that. */
const lifeOf = (log: readonly EventLine[], agent: string, {since, ms, cells}: Scale): Row => {
	const drawn = Array.from({length: cells}, () => rests);
	const marks = new Map<number, Span>();
	let isAtWork = false;
	let stands = rests;
	for (const {event, waiting} of log) {
		const at = Math.min(cells - 1, Math.floor((elapsedMs(since, event.at) / ms) * cells));
		if (event.kind === 'agent.moved' && event.agent === agent) {
			isAtWork = event.to === 'SPAWNING' || event.to === 'RUNNING' || event.to === 'CHECKPOINT';
			if (marked.some(state => state === event.to)) {
				marks.set(at, span(...looks[event.to]));
			}
		}

		const next = waiting.includes(agent) ? waits : isAtWork ? works : rests;
		if (next !== stands) {
			stands = next;
			drawn.fill(stands, at);
		}
	}

	return drawn.map((cell, index) => marks.get(index) ?? cell);
};
