import type {AgentNotice} from '../agents/launch-prompt.ts';
import type {Event} from '../events/event.ts';

/** Pending notices to agents about their work; each is delivered once, by the first message that reaches the agent. */
export type Notices = {
	readonly add: (agent: string, notice: AgentNotice) => void;
	/** Takes what happened: what was reverted is to be told, and what a prompt told no longer is. */
	readonly hear: (events: readonly Event[]) => void;
	/** Returns what an agent is to be told, which its next prompt tells. */
	readonly of: (agent: string) => readonly AgentNotice[];
	/** Returns the same to whoever tells it now. */
	readonly take: (agent: string) => readonly AgentNotice[];
	/** Forgets refusals of which the agent was told in another way. */
	readonly explained: (agent: string, told: readonly AgentNotice[]) => void;
};

/**
Creates the place where they wait.

No protocol has words for a reason: an agent that is refused something reads that the user said no, and of a file that is reverted it reads nothing at all. What no event holds is lost with the supervisor; an agent is then told at its next refusal.
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
