import type {EventLine} from '../../client/model.ts';
import type {Event} from '../../events/event.ts';
import type {Context} from '../model/view.ts';
import {type Row, span, type Tone} from '../rows/row.ts';

/** What happened, one row for each event. */
export const logRows = ({model}: Context): readonly Row[] => model.log.map(rowOf);

const rowOf = ({event, text}: EventLine): Row => [
	span(`${event.seq} `.padStart(6), 'dim'),
	span(text, toneOf(event)),
];

const toneOf = (event: Event): Tone => {
	switch (event.kind) {
		case 'user.decided':
		case 'user.steered':
			return 'info';
		case 'merge.published':
			return 'good';
		case 'scope.left':
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
