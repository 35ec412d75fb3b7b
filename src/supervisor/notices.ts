import type {AgentNotice} from '../agents/launch-prompt.ts';
import type {Event} from '../events/event.ts';

/** Pending notices to agents about their work; the first message that reaches the agent delivers each once. */
export type Notices = {
	readonly add: (agent: string, notice: AgentNotice) => void;
	/** Handles new events: a reverted file becomes a notice, and the start of a turn delivers the agent's notices with its prompt. */
	readonly hear: (events: readonly Event[]) => void;
	/** Returns an agent's pending notices, for its next prompt. */
	readonly of: (agent: string) => readonly AgentNotice[];
	/** Returns an agent's pending notices and removes them, since the caller delivers them. */
	readonly take: (agent: string) => readonly AgentNotice[];
	/** Removes refusals that the agent has learned of in another way. */
	readonly explained: (agent: string, told: readonly AgentNotice[]) => void;
};

/**
Creates the store of pending notices.

No protocol carries a reason: an agent whose request is refused reads that the user said no, and it isn't told of a reverted file at all. Notices that come from no event are lost with the supervisor; the agent is then told at its next refusal.
*/
export const createNotices = (past: readonly Event[]): Notices => {
	const waiting = new Map<string, readonly AgentNotice[]>();
	const of = (agent: string): readonly AgentNotice[] => waiting.get(agent) ?? [];
	const add = (agent: string, notice: AgentNotice): void => {
		const isKnown = of(agent).some(({kind, what}) => kind === notice.kind && what === notice.what);
		if (!isKnown) {
			waiting.set(agent, [...of(agent), notice]);
		}
	};

	const hear = (events: readonly Event[]): void => {
		for (const event of events) {
			if (event.kind === 'turn.started') {
				waiting.delete(event.agent);
			} else if (event.kind === 'scope.left' && event.change !== 'refused' && !event.stuck) {
				add(event.agent, {kind: 'reverted', what: event.path, why: event.why});
			}
		}
	};

	hear(past);
	return {
		add,
		hear,
		of,
		take: agent => {
			const taken = of(agent);
			waiting.delete(agent);
			return taken;
		},
		explained: (agent, told) => {
			waiting.set(
				agent,
				of(agent).filter(
					({kind, what}) => kind !== 'refused' || !told.some(one => one.what === what),
				),
			);
		},
	};
};
