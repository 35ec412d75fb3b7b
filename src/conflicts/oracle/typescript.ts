import {fork} from 'node:child_process';
import {dirname} from 'node:path';
import {setInterval, setTimeout} from 'node:timers';
import {fileURLToPath} from 'node:url';
import {Failure} from '../../lib/failure.ts';
import {sendTo} from '../../lib/process/pipe.ts';
import {usageOf} from '../../lib/process/process-table.ts';
import {send} from '../../lib/process/processes.ts';
import {defined, isSame} from '../../lib/values.ts';
import {
	type Checked,
	type CheckerBudget,
	type Diagnosis,
	defaultBudget,
	type Oracle,
	type OraclePlugin,
	OverBudget,
	type Start,
	startsPlainly,
	unlessAborted,
} from './oracle.ts';
import type {CompilerAnswer, CompilerQuestion, Replies, ToCompiler} from './typescript-thread.ts';

/** TypeScript on git objects: nothing is checked out and nothing is installed. */
export const typescriptOracle: OraclePlugin = {
	name: 'TypeScript',
	heedsBudget: true,
	serves: path => /\.[cm]?tsx?$/.test(path),
	start: async (context, starting) => {
		const {store, checkout, kept, shutIn = startsPlainly} = context;
		const work = {
			// Its answers are short-lived: a larger young generation would only take memory.
			command: [process.execPath, '--max-semi-space-size=2', program],
			...defined({keeps: kept && dirname(kept)}),
		};
		let running: Running | undefined;
		let version: string | undefined;
		/** Returns a process with TypeScript opened within the budget. */
		const opened = async (own = context.budget?.(), signal?: AbortSignal): Promise<Running> => {
			const budget = {...defaultBudget, ...own};
			if (running !== undefined && !isSame(running.budget, budget)) {
				running.end();
			}

			if (running === undefined || running.isGone()) {
				const started = startProcess(budget, await shutIn(work));
				running = started;
				const question = {kind: 'open', store, budget, ...defined({checkout, kept})} as const;
				// Without a caller, it would only wait until it has been idle for long.
				const asked = started.ask(question, signal).catch(error => {
					started.end();
					throw error;
				});
				({version} = await asked);
			}

			return running;
		};

		const first = await twice(() => opened(undefined, starting), starting);
		if (version === undefined) {
			first.end();
			return;
		}

		return {
			version,
			check: async (tree, signal, around = [tree], budget = undefined): Promise<Checked> => {
				const check = async () =>
					(await opened(budget, signal)).ask({kind: 'check', tree, around}, signal);
				const {errors, ...checked} = await twice(check, signal);
				return {errors, ...checked, ...defined({own: ownErrors(errors)})};
			},
			free: async () => running?.free(),
			close: async () => running?.end(),
		} satisfies Oracle;
	},
};

/** The process ended during a request. */
class Ended extends Failure {}

/** Asks once more if the process ended: it may have had another reason than the request. */
const twice = <Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> =>
	ask().catch(error => {
		signal?.throwIfAborted();
		return error instanceof Ended ? ask() : Promise.reject(error);
	});

/** The process that runs TypeScript, with one request at a time. */
type Running = {
	readonly budget: CheckerBudget;
	readonly ask: <Kind extends keyof Replies>(
		question: Extract<CompilerQuestion, {kind: Kind}>,
		signal?: AbortSignal,
	) => Promise<Replies[Kind]>;
	/** Resolves when the last question is answered, even if its caller has given up. */
	readonly free: () => Promise<unknown>;
	readonly isGone: () => boolean;
	/** Kills it and its children. */
	readonly end: (why?: Failure) => void;
};

/**
Starts a child process that uses TypeScript's library.

The library waits for its program without a limit, buffers all its output, and can't be stopped: in a child process that can't hang, block or fill the supervisor. The child leads a process group, so that one signal ends all of it, and exits when the channel closes.
*/
const startProcess = (
	budget: CheckerBudget,
	{words: [execPath = process.execPath, ...words], env}: Start,
): Running => {
	const {memory: mostMemory} = budget;
	const child = fork(words.at(-1) ?? program, {
		detached: true,
		execPath,
		execArgv: words.slice(0, -1),
		serialization: 'advanced',
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		// Threads that share their free memory need 10 MB less of it; GOMEMLIMIT is for TypeScript's program.
		env: {...env, MALLOC_ARENA_MAX: '1', GOMEMLIMIT: String(Math.floor(mostMemory * goShare))},
	});
	const {pid} = child;
	let gone: Failure | undefined;
	let asked: PromiseWithResolvers<unknown> | undefined;
	let free: Promise<unknown> = Promise.resolve();
	let idle: NodeJS.Timeout | undefined;
	const kill = (): void => {
		if (gone === undefined && pid !== undefined) {
			send(-pid, 'SIGKILL');
		}
	};

	const end = (why = new Ended('internal', 'TypeScript was ended.')): void => {
		kill();
		gone ??= why;
		clearTimeout(idle);
		asked?.reject(why);
	};

	child.on('error', error => end(new Ended('internal', error.message, {cause: error})));
	// A process that closed its channel can't answer any more.
	child.on('disconnect', kill);
	child.on('exit', (code, signal) =>
		end(new Ended('internal', `TypeScript ended before it answered (${signal ?? code}).`)),
	);
	child.on('message', (answer: CompilerAnswer) =>
		'value' in answer
			? asked?.resolve(answer.value)
			: 'needs' in answer
				? asked?.reject(new OverBudget(answer.needs))
				: end(new Ended('internal', answer.failed)),
	);
	return {
		budget,
		ask: async (question, signal) => {
			await unlessAborted(free, signal);
			signal?.throwIfAborted();
			if (gone !== undefined) {
				throw new Ended('internal', gone.message);
			}

			clearTimeout(idle);
			const answer = Promise.withResolvers<unknown>();
			asked = answer;
			const watch = setInterval(() => {
				const memory = pid === undefined ? 0 : (usageOf([pid]).get(pid)?.memory ?? 0);
				if (memory > mostMemory) {
					end(new OverBudget({memory: mostMemory}));
				}
			}, lookEveryMs);
			let abandoned: NodeJS.Timeout | undefined;
			const abandon = () => {
				if (signal?.reason?.name === 'TimeoutError') {
					end(signal.reason);
				}

				// It keeps what it has read, which the next question needs.
				sendTo(child, {kind: 'abandon'} satisfies ToCompiler);
				abandoned = setTimeout(end, abandonedMs).unref();
			};
			signal?.addEventListener('abort', abandon, {once: true});
			// A failure to send is reported by the exit of the process.
			sendTo(child, question);
			const answered = answer.promise.finally(() => {
				clearInterval(watch);
				clearTimeout(abandoned);
				signal?.removeEventListener('abort', abandon);
				asked = undefined;
				idle = setTimeout(end, idleMs).unref();
			});
			free = answered.catch(() => {});
			// It answers by the type of the question.
			return (await unlessAborted(answered, signal)) as never;
		},
		free: () => free,
		isGone: () => gone !== undefined,
		end,
	};
};

const program = fileURLToPath(
	new URL(
		import.meta.url.endsWith('.ts') ? './typescript-process.ts' : './typescript-process.js',
		import.meta.url,
	),
);

/** Share of the limit near which TypeScript's program, which is written in Go, collects garbage more eagerly. */
const goShare = 0.7;

const lookEveryMs = 250;

/** Time within which the process must end an abandoned question, in milliseconds. */
const abandonedMs = 10_000;

/** Time after which an unused checker is ended to free its memory, in milliseconds. */
const idleMs = 60_000;

/**
Returns the errors that a tree certainly has in any environment; `undefined` if these are all.

If packages are missing, their exports have no type, and most errors result from that: they can't be told apart from real ones. Only syntax errors are certain.
*/
export const ownErrors = (errors: readonly Diagnosis[]): readonly Diagnosis[] | undefined =>
	errors.some(lacksPackage) ? errors.filter(isSyntaxError) : undefined;

const lacksPackage = ({code, text}: Diagnosis): boolean =>
	packageCodes.has(code) || (moduleCodes.has(code) && !/'(\.|\/|#)/.test(text));

/** Codes of "Do you need to install type definitions for …?", in its variants, and of missing JSX types. */
const packageCodes = new Set([
	...['TS2580', 'TS2581', 'TS2582', 'TS2591', 'TS2592', 'TS2593', 'TS2688', 'TS2867', 'TS2868'],
	...['TS2875', 'TS7016', 'TS7026'],
]);

/** Codes of "Cannot find module", which is the tree's own error if the module is a file. */
const moduleCodes = new Set(['TS2307', 'TS2792', 'TS2882']);

/** Returns whether an error is one of syntax. */
export const isSyntaxError = ({code}: Pick<Diagnosis, 'code'>): boolean => /^TS1\d{3}$/.test(code);
