import type {AgentOrder} from '../../events/agent-order.ts';

/** Returns what a person had an agent do, as the end of a sentence that begins with them. */
export const orderText = (order: AgentOrder): string => {
	switch (order.verb) {
		case 'stop':
			return 'stopped it for good; its work is kept';
	}
};
