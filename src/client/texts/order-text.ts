import type {AgentOrder} from '../../events/agent-order.ts';

/** Returns what a person had an agent do, as the end of a sentence that begins with them. */
export const orderText = (order: AgentOrder): string => {
	switch (order.verb) {
		case 'message':
			return `wrote to it${order.now ? ', for now' : ''}: ${order.text}`;
		case 'pause':
			return order.visit === undefined
				? 'paused it'
				: 'entered its worktree; it is paused meanwhile';
		case 'resume':
			return `${order.visit === undefined ? 'let it go on' : 'left its worktree'}${order.text === undefined ? '' : `: ${order.text}`}`;
		case 'restart':
			return `had it start over${order.from === null ? '' : ` from snapshot ${order.from}`}${order.as === undefined ? '' : ` as ${order.as.profile}`}${order.text === undefined ? '' : `: ${order.text}`}`;
		case 'grant':
			return `granted it after all: ${order.paths.join(', ')}`;
		case 'check':
			return 'had its work checked';
		case 'stop':
			return 'stopped it for good; its work is kept';
	}
};
