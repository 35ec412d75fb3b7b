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

/** A slow git, and the child process that it waits for. */
export type Wait = {
	/** For example `git merge`. */
	readonly command: string;
	readonly program: {readonly pid: number; readonly command: string} | null;
};

export type Patience = {
	/** Called when a git becomes slow, when it waits for another program, and with `undefined` when it ends. */
	readonly onWait?: (wait: Wait | undefined) => void;
	/** Milliseconds until `onWait` is called. */
	readonly tellAfterMs?: number;
	/** Milliseconds until git and its children are killed. */
	readonly endAfterMs?: number;
	/** Interval of looks at its children, in milliseconds. */
	readonly lookEveryMs?: number;
};

/** A filter may download much, or ask for a passphrase; the person can kill the program that is shown. */
const endAfterMs = 30 * 60_000;

const usual: Required<Patience> = {
	onWait: () => {},
	tellAfterMs: 3000,
	endAfterMs,
	lookEveryMs: 1000,
};

const scope = new AsyncLocalStorage<Required<Patience>>();

/** Reports slow gits of the person's during `work`. */
export const withPatience = <Result>(
	patience: Patience,
	work: () => Promise<Result>,
): Promise<Result> => scope.run({...usual, ...patience}, work);

/**
Runs a git that may start the person's filters, and reports it while it is slow.

After `endAfterMs` git is killed and then its children: git would go on without a filter that was killed first.

@throws `Failure` of kind `refused` for a git that was killed; the caller cleans up what it left.
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

/** Returns the git with these arguments, and its descendants. */
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

/** Milliseconds between SIGTERM and SIGKILL. */
const politeMs = 5000;

/** Ends git, then its children, each first with SIGTERM: git removes its locks then. */
const endGit = async (args: readonly string[]): Promise<void> => {
	const [git, ...programs] = gitTree(args).map(({pid}) => identityOf(pid));
	for (const one of git === undefined ? [] : [git, ...programs]) {
		send(one.pid, 'SIGTERM');
		if (!(await until(() => !isAlive(one), politeMs))) {
			send(one.pid, 'SIGKILL');
		}
	}
};
