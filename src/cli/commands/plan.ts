import {dirname, relative, resolve} from 'node:path';
import type {Command} from 'commander';
import {programText} from '../../client/texts/plan-text.ts';
import {Failure} from '../../lib/failure.ts';
import {formatDuration, parseDuration} from '../../lib/text/duration.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {defined} from '../../lib/values.ts';
import {programNamed} from '../../rules/plan/profile.ts';
import type {Config} from '../config/config.ts';
import {findHere} from '../here.ts';
import {print, printAside, printJson, untilInterrupted} from '../output.ts';
import {requireNew, writeNewPlan} from '../plan/new-plan-file.ts';
import {propose} from '../plan/propose.ts';
import {readPlanText, withSchema} from '../plan/read-plan.ts';
import {settleConfig} from '../require-config.ts';

type Options = {
	readonly agent?: string;
	readonly out?: string;
	readonly print?: boolean;
	readonly timeout: string;
	readonly json?: boolean;
};

export const addPlan = (program: Command): void => {
	program
		.command('plan <task>')
		.alias('delegate')
		.description('let a planner agent propose a plan file; it reads and changes nothing')
		.option('--agent <profile>', 'the agent that plans; "planner" of the config by default')
		.option(
			'--out <file>',
			'the file to write, which must be new; plan.yaml or the next free name by default',
		)
		.option('--print', 'only print the plan')
		.option('--timeout <time>', 'how long it may take', '10min')
		.option('--json', 'as JSON')
		.action(async (task: string, options: Options) => {
			const here = await findHere();
			const {repository} = here;
			const config = await settleConfig(here, options);
			const out = options.out === undefined ? undefined : resolve(options.out);
			await requireNew(out);
			const text = await proposeAloud(here, config, task, options);
			const shown = {file: 'plan', repository, config};
			const {warnings} = await readPlanText(text, shown);
			const where = {root: repository.root, folder: dirname(out ?? resolve('plan.yaml'))};
			const file = options.print
				? undefined
				: await writeNewPlan(await withSchema('plan', where, text), out);
			printProposed({text, warnings, file: file && relative(process.cwd(), file)}, options);
		});
};

/** Prints the planner's progress on stderr, and stops the planner when this process is stopped. */
const proposeAloud = async (
	here: Parameters<typeof propose>[0],
	config: Parameters<typeof propose>[1],
	task: string,
	{agent: planner, timeout}: Options,
): Promise<string> => {
	const limitMs = requireTimeout(timeout);
	requireTask(task);
	using interrupted = untilInterrupted('The planner was stopped; nothing was written.');
	return await propose(here, config, {
		task,
		...defined({planner}),
		limitMs,
		signal: interrupted.signal,
		onTurn: (_, number) => {
			if (number === 1) {
				printAside(begun(planner ?? config.planner, config, limitMs));
			}
		},
		onAction: text => printAside(`  ${text}`),
		onCorrection: problems => printAside(['Its plan goes back to it:', ...problems].join('\n  ')),
	});
};

const begun = (planner: string, {agents}: Config, limitMs: number): string => {
	const program = programNamed(planner, agents);
	return [
		`${planner} reads the repository and plans, for at most ${formatDuration(limitMs)}. Ctrl+C stops it.`,
		...(program === undefined ? [] : [`  ${programText(program)}`]),
	].join('\n');
};

const requireTask = (task: string): void => {
	if (task.trim() === '') {
		throw new Failure('usage', 'There is no task to plan.', {
			hint: 'delegate-tui plan "What is to be done"',
		});
	}
};

const requireTimeout = (text: string): number => {
	const limitMs = parseDuration(text);
	if (limitMs === undefined || limitMs < 1000 || limitMs > 24 * 3_600_000) {
		throw new Failure('usage', `"${text}" is not a time limit for a planner.`, {
			hint: 'a duration between 1s and 24h, such as 10min',
		});
	}

	return limitMs;
};

type Proposed = {
	readonly text: string;
	readonly warnings: readonly string[];
	readonly file: string | undefined;
};

const printProposed = ({text, warnings, file}: Proposed, {json}: Options): void => {
	if (json) {
		printJson({ok: true, file: file ?? null, plan: text, warnings});
		return;
	}

	print(text.trimEnd());
	if (file === undefined) {
		warnings.forEach(printAside);
		return;
	}

	for (const line of ['', ...warnings, ...(warnings.length === 0 ? [] : [''])]) {
		print(line);
	}

	print(`Wrote ${file}. Change what you like, then: delegate-tui run ${inShell(file)}`);
};
