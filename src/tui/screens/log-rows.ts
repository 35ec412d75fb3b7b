import type {EventLine} from '../../client/model.ts';
import type {Event} from '../../events/event.ts';
import {oncePer} from '../../lib/values.ts';
import {holdsAll} from '../rows/found.ts';
import {type Row, type Rows, span, type Tone} from '../rows/row.ts';

/** Returns the events that contain these words, including in their kinds; without words all of them, with agents' progress folded. */
export const logRows = (log: readonly EventLine[], words = ''): Rows => {
	const lines = words === '' ? folded(log) : holding(log, words);
	return {
		length: lines.length,
		slice: (from, to) => lines.slice(from, to).map(([line, before]) => rowOf(line, before)),
	};
};

const holding = (log: readonly EventLine[], words: string): readonly Folded[] =>
	log.flatMap((line): readonly Folded[] =>
		holdsAll(`${line.text} ${line.event.kind}`, words) ? [[line, 0]] : [],
	);

type Folded = readonly [line: EventLine, before: number];

/** Returns the events with, between two others, only the last progress of each agent, and the number of earlier ones. */
const folded = oncePer((log: readonly EventLine[]): readonly Folded[] => {
	const rows: Folded[] = [];
	let run = new Map<string, Folded>();
	for (const line of log) {
		const {event} = line;
		if (event.kind === 'signal.said' && event.signal.kind === 'progress') {
			const [, before] = run.get(event.agent) ?? [line, -1];
			run.delete(event.agent);
			run.set(event.agent, [line, before + 1]);
		} else {
			rows.push(...run.values(), [line, 0]);
			run = new Map();
		}
	}

	return [...rows, ...run.values()];
});

const rowOf = ({event, text}: EventLine, before: number): Row => [
	span(`${event.seq} `.padStart(6), 'dim'),
	span(text, toneOf(event)),
	...(before === 0 ? [] : [span(`  and ${before} before`, 'dim')]),
];

const toneOf = (event: Event): Tone => {
	switch (event.kind) {
		case 'user.decided':
		case 'user.steered':
			return 'info';
		case 'merge.published':
			return 'good';
		case 'scope.left':
		case 'access.denied':
		case 'conflict.found':
		case 'merge.refused':
			return 'warn';
		case 'effect.failed':
			return 'bad';
		case 'verify.ended':
			return event.ok ? 'good' : 'bad';
		case 'agent.moved':
			return event.to === 'FAILED' ? 'bad' : 'plain';
		default:
			return 'plain';
	}
};
