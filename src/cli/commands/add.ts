import {relative, resolve} from 'node:path';
import type {Command} from 'commander';
import {programText} from '../../client/texts/plan-text.ts';
import {Failure} from '../../lib/failure.ts';
import {eventIn} from '../event-in.ts';
import {findHere, requireActiveSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askForRest} from '../plan/ask-for-rest.ts';
import {readAdded} from '../plan/read-added.ts';
import {readText} from '../plan/read-plan.ts';
import {type SubtaskWords, subtaskText} from '../plan/subtask-text.ts';
import {isAtTerminal} from '../questions.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';
import {settleConfig} from '../require-config.ts';

type Options = SubtaskWords & {
	readonly like?: string;
	readonly file?: string;
	readonly json?: boolean;
};

/** `add`: one more agent in the active session. */
export const addAdd = (program: Command): void => {
	program
		.command('add [subtask]')
		.description('one more agent in the active session')
		.option('--goal <text>', 'what done means for it')
		.option('--scope <glob...>', 'where it may write; nowhere without it')
		.option('--forbid <glob...>', 'where it may not, though it lies in its scope')
		.option('--agent <profile>', 'the agent that does it')
		.option('--best-of <profiles...>', 'two or three agents that all do it; you take the best')
		.option('--after <agent...>', 'agents whose results it waits for')
		.option('--inputs <file...>', 'files that it reads first')
		.option('--metrics <text...>', 'what its result is measured by')
		.option('--output <path>', 'where its result belongs')
		.option('--timeout <time>', 'how long it may work before you are asked')
		.option('--thinking <mode>', 'standard, think or think-hard')
		.option('--tokens <number>', 'how many tokens it should make do with')
		.option('--behavior <file>', 'a file that says how to work')
		.option('--expect <signal...>', 'signals, one line each, that it should give')
		.option('--mode <mode>', 'the mode that it works in, in its own words')
		.option('--images <file...>', 'pictures that it is shown')
		.option('--file <file>', 'all of it from a file, written as an entry of "agents" in a plan')
		.option('--like <agent>', 'the agent whose command, scope and inputs it gets')
		.option('--json', 'as JSON')
		.action(async (task: string | undefined, options: Options) => {
			const here = await findHere();
			requirePerson(here);
			const {state} = await requireActiveSession(here);
			if (options.like !== undefined) {
				const {like, bestOf} = options;
				if (bestOf !== undefined) {
					throw new Failure('usage', 'One agent is like another; --best-of names two or three.', {
						hint: 'leave one of --like and --best-of out',
					});
				}

				printAdded(await askSupervisor(here, {do: 'add', task, like}), [], options);
				return;
			}

			const config = await settleConfig(here, options);
			const text =
				options.file === undefined
					? subtaskText(await completed(task, options, config.agents))
					: await readText(options.file);
			const file =
				options.file === undefined
					? 'subtask'
					: relative(process.cwd(), resolve(options.file)) || options.file;
			const {warnings, ...read} = await readAdded(here, config, state, {text, file});
			printAdded(await askSupervisor(here, {do: 'add', ...read}), warnings, options);
		});
};

/** Nothing is taken over silently: what is missing is asked for where somebody is, and told where nobody is. */
const completed = async (
	task: string | undefined,
	options: Options,
	profiles: Parameters<typeof askForRest>[1],
): Promise<SubtaskWords & {readonly subtask: string}> => {
	const words = {...options, subtask: task ?? ''};
	return isAtTerminal() && !options.json ? askForRest(words, profiles) : words;
};

const printAdded = (answer: unknown, warnings: readonly string[], {json}: Options): void => {
	const event = eventIn(answer);
	if (json) {
		printJson({ok: true, event, warnings});
		return;
	}

	warnings.forEach(print);
	const {subtask: first, rivals = []} = event.kind === 'user.decided' ? event : {};
	for (const {id, scope, ...program} of first === undefined ? [] : [first, ...rivals]) {
		const where =
			scope.allowed.length > 0 ? `may write ${scope.allowed.join(' ')}` : 'can only read';
		print(`Added ${id}, which ${where}: ${programText(program)}`);
		print(`Watch it: delegate-tui status   See its work: delegate-tui diff ${id}`);
	}
};
