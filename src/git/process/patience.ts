import {AsyncLocalStorage} from 'node:async_hooks';
import process from 'node:process';
import {Failure} from '../../lib/failure.ts';
import {
	deepestOf,
	processTree,
	shortCommandOf,
	type TreeProcess,
} from '../../lib/process/process-table.ts';
import {identityOf, isAlive, send, until} from '../../lib/process/processes.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {commandOf} from './result.ts';

/** A git that takes long, and the program of the person's that it waits for, if it waits for one. */
export type Wait = {
	/** What a person calls it by: `git merge`. */
	readonly command: string;
	readonly program: {readonly pid: number; readonly command: string} | null;
};

export type Patience = {
	/** Called when a git begins to take long, when it waits for something else, and with nothing when it is over. */
	readonly onWait?: (wait: Wait | undefined) => void;
	/** How long a git runs until that is told, in milliseconds. */
	readonly tellAfterMs?: number;
	/** How long a git may take, with all that it has started, in milliseconds. */
	readonly endAfterMs?: number;
	/** How often it is looked at, in milliseconds. */
	readonly lookEveryMs?: number;
};

/** A filter may fetch much, or have asked for a passphrase that somebody looks up; who doesn't want to wait ends the program that is named. */
const endAfterMs = 30 * 60_000;

const usual: Required<Patience> = {
	onWait: () => {},
	tellAfterMs: 3000,
	endAfterMs,
	lookEveryMs: 1000,
};

const scope = new AsyncLocalStorage<Required<Patience>>();

/** Within this work each git of the person's is looked at while it runs. */
export const withPatience = <Result>(
	patience: Patience,
	work: () => Promise<Result>,
): Promise<Result> => scope.run({...usual, ...patience}, work);

/**
Lets a git run that may start programs of the person's: filters, and what those need.

What is waited for is told. When it takes longer than anything should, git is ended, and then they are: git first, since it would go on without a filter that was.

@throws `Failure` of kind `refused` for a git that was ended; whoever asked looks at what it has left.
*/
export const patiently = async <Result>(
	args: readonly string[],
	run: () => Promise<Result>,
): Promise<Result> => {
	const patience = scope.getStore();
	if (patience === undefined) {
		return run();
	}

	const ending = Promise.withResolvers<never>();
	let ended: Promise<never> | undefined;
	const stop = watch(args, patience, failure => {
		ended = endGit(args).then(() => {
			throw failure;
		});
		ended.catch(ending.reject);
	});
	try {
		const result = await Promise.race([run(), ending.promise]);
		return (await ended) ?? result;
	} finally {
		stop();
	}
};

const watch = (
	args: readonly string[],
	{onWait, tellAfterMs, endAfterMs, lookEveryMs}: Required<Patience>,
	onOver: (failure: Failure) => void,
): (() => void) => {
	const begun = performance.now();
	let reported: string | undefined;
	const report = (wait: Wait | undefined): void => {
		const key = wait && JSON.stringify(wait);
		if (key !== reported) {
			reported = key;
			onWait(wait);
		}
	};

	const look = (): void => {
		const wait = waitOf(args, gitTree(args));
		report(wait);
		if (performance.now() - begun >= endAfterMs) {
			onOver(tooLong(wait, endAfterMs));
		} else {
			timer = setTimeout(look, lookEveryMs);
		}
	};

	let timer = setTimeout(look, tellAfterMs);
	return () => {
		clearTimeout(timer);
		report(undefined);
	};
};

/** The git that was started with these arguments, and all that it has started. */
const gitTree = (args: readonly string[]): readonly TreeProcess[] =>
	processTree(
		({parent, words}) => parent === process.pid && words.join(' ').endsWith(` ${args.join(' ')}`),
	);

const waitOf = (args: readonly string[], tree: readonly TreeProcess[]): Wait => {
	const last = deepestOf(tree);
	return {
		command: commandOf(args),
		program: last === undefined ? null : {pid: last.pid, command: shortCommandOf(last)},
	};
};

const tooLong = ({command, program}: Wait, afterMs: number): Failure => {
	const forMs = formatDuration(afterMs);
	return program === null
		? new Failure('refused', `${command} took longer than ${forMs} and was ended.`, {
				hint: 'Try the same command by hand to see what it waits for.',
			})
		: new Failure(
				'refused',
				`${command} waited for "${program.command}", for ${forMs} in all; both were ended.`,
				{hint: 'Your git’s configuration names that program; see that it works, then try again.'},
			);
};

/** How long a process may take to end once it was asked to, in milliseconds. */
const politeMs = 5000;

/** Git takes its locks along when it is asked to end; what it leaves half-done is for whoever started it. */
const endGit = async (args: readonly string[]): Promise<void> => {
	const [git, ...programs] = gitTree(args).map(({pid}) => identityOf(pid));
	for (const one of git === undefined ? [] : [git, ...programs]) {
		send(one.pid, 'SIGTERM');
		if (!(await until(() => !isAlive(one), politeMs))) {
			send(one.pid, 'SIGKILL');
		}
	}
};
