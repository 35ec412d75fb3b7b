import {once} from 'node:events';
import {setTimeout} from 'node:timers/promises';

/** Registry of running tool servers; each holds a request open for as long as it runs. */
export type ToolServers = {
	/** Forgets the tool servers of an agent's last process. */
	readonly expect: (agent: string) => void;
	/** Counts a server as running until `gone` aborts; without `gone`, as long as the supervisor runs. */
	readonly run: (agent: string, gone?: AbortSignal) => Promise<void>;
	/** Waits for an agent's first server, at most this long; returns whether it came. */
	readonly arrival: (agent: string, limitMs: number) => Promise<boolean>;
	/** Resolves once all servers of an agent have ended and it didn't start another within a moment. */
	readonly loss: (agent: string) => Promise<void>;
	readonly areLost: (agent: string) => boolean;
};

type Servers = {
	running: number;
	hasCome: boolean;
	readonly came: PromiseWithResolvers<true>;
	readonly lost: PromiseWithResolvers<void>;
};

/** Time within which an agent may restart a server that ended, in milliseconds. */
const againMs = 1000;

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
