import {relative, resolve} from 'node:path';
import type {Command} from 'commander';
import {programText} from '../../client/texts/plan-text.ts';
import {Failure} from '../../lib/failure.ts';
import {defined, omit} from '../../lib/values.ts';
import {withFolders} from '../../lib/workspace.ts';
import {reasons} from '../../rules/plan/check.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {valuesToShow} from '../../rules/plan/profile.ts';
import type {JoiningAgent} from '../../rules/plan/subtask-file.ts';
import type {State} from '../../state/state.ts';
import {findHere, requireActiveSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {
	answeredGlobs,
	usable,
	whyBadScope,
	whyNoAgent,
	whyNoScope,
} from '../plan/ask-for-missing.ts';
import {addedSubtask, readAdded, type SubtaskWords} from '../plan/read-added.ts';
import {packagesNamedIn, readText} from '../plan/read-plan.ts';
import {isAtTerminal, withQuestions} from '../questions.ts';
import {askSupervisor, eventIn, requirePerson} from '../reach-supervisor.ts';
import {settleConfig} from '../require-config.ts';

type Options = SubtaskWords & {
	readonly like?: string;
	readonly file?: string;
	readonly json?: boolean;
};

export const addAdd = (program: Command): void => {
	program
		.command('add [subtask]')
		.description('one more agent in the active session')
		.option('--goal <text>', 'what done means for the agent')
		.option(
			'--scope <glob...>',
			'where it may write, or package:NAME of a workspace; nowhere without it',
		)
		.option('--forbid <glob...>', 'what it may not write, inside its scope')
		.option('--agent <profile>', 'the agent that does it')
		.option('--best-of <profiles...>', 'two or three agents that all do it; you take the best')
		.option('--after <agent...>', 'agents whose results it waits for')
		.option('--inputs <file...>', 'files that it reads first')
		.option('--metrics <text...>', 'what its result is measured by')
		.option('--output <path>', 'where its result belongs')
		.option('--timeout <time>', 'how long it may work before you are asked')
		.option('--thinking <mode>', 'standard, think or think-hard')
		.option('--tokens <number>', 'how many tokens it may use before you are asked')
		.option('--behavior <file>', 'a file that says how to work')
		.option('--expect <signal...>', 'signals, one line each, that it should give')
		.option('--mode <mode>', 'the mode that it works in, by its own name')
		.option('--from <id>', 'a conversation that you began with it, to go on from')
		.option('--uncommitted', 'its worktree begins with the uncommitted changes of your checkout')
		.option('--checkout <folder...>', 'folders that its worktree checks out')
		.option('--images <file...>', 'pictures that it is shown')
		.option(
			'--file <file>',
			'read the whole subtask from a file, written as an entry of "agents" in a plan',
		)
		.option('--like <agent>', 'the agent whose command, inputs and, without --scope, scope it gets')
		.option('--json', 'as JSON')
		.action(async (task: string | undefined, options: Options) => {
			const here = await findHere();
			requirePerson(here, 'starting');
			const {state} = await requireActiveSession(here);
			if (options.like !== undefined) {
				const {like, bestOf, scope, forbid} = options;
				if (bestOf !== undefined) {
					throw new Failure('usage', '--like is for one agent; --best-of names two or three.', {
						hint: 'leave out --like or --best-of',
					});
				}

				const bad = whyBadScope([...(scope ?? []), ...(forbid ?? [])]);
				if (bad !== undefined) {
					throw new Failure('usage', bad);
				}

				const packages = await packagesNamedIn(here.repository, [scope, forbid].join(' '));
				const where = defined({
					allowed: scope && withFolders(scope, packages),
					forbidden: forbid && withFolders(forbid, packages),
				});
				const answer = await askSupervisor(here, {do: 'add', task, like, scope: where});
				printAdded(answer, options, {});
				return;
			}

			const config = await settleConfig(here, options);
			const text =
				options.file === undefined
					? addedSubtask(await completed(task, options, {state, profiles: config.agents}))
					: await readText(options.file);
			const file =
				options.file === undefined
					? 'subtask'
					: relative(process.cwd(), resolve(options.file)) || options.file;
			const {warnings, ...read} = await readAdded(here, config, state, {text, file});
			const answer = await askSupervisor(here, {do: 'add', ...read});
			printAdded(answer, options, {warnings, sets: [read, ...read.rivals].map(valuesSet)});
		});
};

/** Asks for missing parts at a terminal, and reports them elsewhere, so that no default is applied silently. */
const completed = async (
	task: string | undefined,
	options: Options,
	asking: Asking,
): Promise<SubtaskWords & {readonly subtask: string}> => {
	const words = {subtask: task ?? '', ...omit(options, 'like', 'file', 'json')};
	return isAtTerminal() && !options.json ? askForRest(words, asking) : words;
};

/** Returns the environment values of an agent that do not come from the person's own config, as in a plan's item. */
const valuesSet = ({subtask, environment}: JoiningAgent): Values =>
	valuesToShow([subtask], {[subtask.id]: environment})[subtask.id] ?? {};

type Values = Readonly<Record<string, string>>;

const printAdded = (
	answer: unknown,
	{json}: Options,
	{
		warnings = [],
		sets = [],
	}: {readonly warnings?: readonly string[]; readonly sets?: readonly Values[]},
): void => {
	const event = eventIn(answer);
	if (json) {
		printJson({ok: true, event, warnings});
		return;
	}

	warnings.forEach(print);
	const {subtask: first, rivals = []} = event.kind === 'user.decided' ? event : {};
	const added = first === undefined ? [] : [first, ...rivals];
	for (const [index, {id, scope, ...program}] of added.entries()) {
		const where =
			scope.allowed.length > 0 ? `may write ${scope.allowed.join(' ')}` : 'can only read';
		print(`Added ${id}, which ${where}: ${programText(program, sets[index])}`);
		print(`Watch it: delegate-tui status   See its work: delegate-tui diff ${id}`);
	}
};

/** Asks the person at the terminal for missing parts of a subtask, each with the reason; an empty line leaves it out. */
const askForRest = (
	words: SubtaskWords & {readonly subtask: string},
	{state, profiles}: Asking,
): Promise<SubtaskWords & {readonly subtask: string}> =>
	withQuestions('Nothing was added.', async questions => {
		const {ask} = questions;
		const subtask = words.subtask || (await ask('What is it to do? '));
		const globs = `Where may it write? Globs; without any ${reasons.allowed}: `;
		const scope = words.scope ?? answeredGlobs(await usable(questions, globs, whyNoScope));
		const which = `Which agent does it? One of ${Object.keys(profiles).join(', ')}; claude if empty: `;
		const agent =
			words.agent ??
			(words.bestOf === undefined
				? await usable(questions, which, name => whyNoAgent(name, profiles))
				: '');
		const goal = words.goal ?? (await ask(`What does done mean for it? Else ${reasons.goal}: `));
		const isMeasured = words.metrics !== undefined || (state.session?.plan.success.length ?? 0) > 0;
		const metric = isMeasured
			? ''
			: await ask(
					`What is its result measured by, such as npm test passes? Else ${reasons.metrics}: `,
				);
		return {
			...words,
			subtask,
			...defined({
				scope,
				agent: agent || undefined,
				goal: goal || undefined,
				metrics: words.metrics ?? (metric === '' ? undefined : [metric]),
			}),
		};
	});

/** Data that decides which questions are asked. */
type Asking = {
	readonly state: State;
	readonly profiles: Readonly<Record<string, AgentProfile>>;
};
