import {once} from 'node:events';
import {setTimeout} from 'node:timers/promises';

/** Registry of running tool servers; each holds a request open for as long as it runs. */
export type ToolServers = {
	/** Forgets those of an agent's last process. */
	readonly expect: (agent: string) => void;
	/** Counts a server in until `gone` aborts; without that, it ends only with the supervisor. */
	readonly run: (agent: string, gone?: AbortSignal) => Promise<void>;
	/** Waits for the first one, at most this long; returns whether it came. */
	readonly arrival: (agent: string, limitMs: number) => Promise<boolean>;
	/** Settles once all that came have ended, and the agent had a moment to start another one. */
	readonly loss: (agent: string) => Promise<void>;
	/** Returns whether all that came have ended. */
	readonly areLost: (agent: string) => boolean;
};

type Servers = {
	running: number;
	hasCome: boolean;
	readonly came: PromiseWithResolvers<true>;
	readonly lost: PromiseWithResolvers<void>;
};

/** How long an agent may take to start one that ended again, in milliseconds. */
const againMs = 1000;

/** Creates the count of them. */
export const createToolServers = (): ToolServers => {
	const known = new Map<string, Servers>();
	const of = (agent: string): Servers => {
		const servers = known.get(agent) ?? {
			running: 0,
			hasCome: false,
			came: Promise.withResolvers<true>(),
			lost: Promise.withResolvers<void>(),
		};
		known.set(agent, servers);
		return servers;
	};

	return {
		expect: agent => known.delete(agent),
		run: async (agent, gone) => {
			const servers = of(agent);
			servers.running++;
			servers.hasCome = true;
			servers.came.resolve(true);
			if (gone === undefined) {
				return;
			}

			await (gone.aborted || once(gone, 'abort'));
			servers.running--;
			await setTimeout(againMs, undefined, {ref: false});
			if (servers.running === 0) {
				servers.lost.resolve();
			}
		},
		arrival: (agent, limitMs) =>
			Promise.race([of(agent).came.promise, setTimeout(limitMs, false, {ref: false})]),
		loss: agent => of(agent).lost.promise,
		areLost: agent => of(agent).hasCome && of(agent).running === 0,
	};
};
