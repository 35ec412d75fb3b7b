import type {Event} from '../../events/event.ts';
import {aborted} from '../agent/cancel.ts';
import type {State} from '../state.ts';

type Steered = Extract<Event, {kind: 'user.steered'}>;

/** A person had one agent do something; the others are not concerned. */
export const steered = (state: State, {agent: id, order}: Steered): State => {
	switch (order.verb) {
		case 'stop':
			return aborted(state, id, 'stopped by a person');
	}
};
