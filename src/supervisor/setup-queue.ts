/** Content of a worktree, to compare with that of another: its tree, the folders of it that are checked out, the names of ignored paths, and the agent's environment. */
export type WorktreeContent = {
	readonly tree: string;
	readonly checkout: readonly string[] | undefined;
	readonly ignored: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
};

/** Worktree whose setup succeeded a moment ago, and whose agent has not started yet. */
export type SetUpTree = {
	readonly agent: string;
	readonly tree: string;
	readonly before: WorktreeContent;
	/** Its content right after the install, before further commands. */
	readonly after: WorktreeContent;
	/** Ignored paths that hold the packages its setup installed. */
	readonly packages: readonly string[];
	/** Number of files in them. */
	readonly files: number;
};

export type SetupParts = {
	readonly agent: string;
	/** Receives each step, in words. */
	readonly onStep: (text: string) => void;
	/** Sets up the first worktree. Returns a function that finds its packages; it is called only if other worktrees wait. */
	readonly first: () => Promise<(() => Promise<SetUpTree | undefined>) | undefined>;
	/** Sets up another worktree. `from` is the first one, which doesn't change until `leave` is called. */
	readonly next: (from: SetUpTree | undefined, leave: () => void) => Promise<void>;
};

/**
Creates the queue of setups: they run one at a time until the first one succeeds, then in parallel.

Setups that start at the same time would each download the same packages. After the first setup, the others find them in the caches, or copy them. The first one returns only when the others have their copies, since its agent may edit its files after that.
*/
export const createSetupQueue = (
	requireOpen: () => void,
): ((parts: SetupParts) => Promise<void>) => {
	let isWarm = false;
	let running: string | undefined;
	let from: SetUpTree | undefined;
	let last: Promise<unknown> = Promise.resolve();
	/** Setups that may still copy from the first worktree. */
	const users = new Set<Promise<void>>();
	return async ({agent, onStep, first, next}) => {
		const before = last;
		const ended = Promise.withResolvers<void>();
		const left = Promise.withResolvers<void>();
		last = ended.promise;
		users.add(left.promise);
		const leave = () => {
			users.delete(left.promise);
			left.resolve();
		};
		if (running !== undefined && !isWarm) {
			onStep(`waiting for the setup of ${running}, so that nothing is downloaded twice`);
		}

		running ??= agent;
		try {
			await before;
			requireOpen();
			running = agent;
			onStep('its setup is running');
			if (isWarm) {
				ended.resolve();
				await next(from, leave);
				return;
			}

			const find = await first();
			leave();
			from = users.size === 0 ? undefined : await find?.().catch(() => undefined);
			isWarm = true;
			ended.resolve();
			while (from !== undefined && users.size > 0) {
				onStep('waiting until other agents have copied its packages');
				await Promise.all(users);
			}

			from = undefined;
		} finally {
			leave();
			ended.resolve();
		}
	};
};
