import {statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import type {Command} from 'commander';
import {exitCodes, Failure} from '../../lib/failure.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {defined} from '../../lib/values.ts';
import {didYouMean} from '../../rules/plan/finding.ts';
import {wakeSupervisor} from '../awake.ts';
import {runInShell} from '../edit-file.ts';
import {findHere, isActive, readLastSession, requireSound} from '../here.ts';
import {settleConfig} from '../require-config.ts';
import {canShowScreen, showSession} from '../show-session.ts';

/** Adds the default command: opens the screen on the active session, or to plan one. */
export const addOpen = (program: Command): void => {
	program
		.argument('[task...]')
		.option(
			'--from <file>',
			'plan what an issue or a ticket asks for: its first line is the task, its text the context; - reads it from a pipe',
		)
		.action(async (words: readonly string[], {from}: {from?: string}) => {
			if (from === '-' && process.stdin.isTTY !== true) {
				process.exitCode = (await openWithInput(words)) ?? exitCodes.internal;
				return;
			}

			const text = from === undefined ? undefined : await readIssue(from);
			const task = words.length === 0 ? text && taskIn(text) : words.join(' ');
			requireTask(words, program);

			await openSession(task, text);
		});
};

/** Opens the screen on the active session, or to plan a task; without a terminal, prints the status. */
export const openSession = async (task?: string, text?: string): Promise<void> => {
	const here = await findHere();
	if (!canShowScreen()) {
		const {printStatus} = await import('./status.ts');
		await printStatus(here, false);
		return;
	}

	const session = await readLastSession(here);
	requireSound(here, session);
	if (isActive(session)) {
		requireNoTask(task, session.id);
		await wakeSupervisor(here, session);
		await showSession(here, session, await settleConfig(here));
		return;
	}

	const config = await settleConfig(here);
	const {composePlan} = await import('../plan/compose.ts');
	const started = await composePlan(here, config, {
		begin: {task: task ?? '', ...defined({context: text})},
		last: session,
	});
	if (started !== undefined) {
		await showSession(here, started, config);
	}
};

/** Runs the program again with this one's standard input as a file argument, so that the screen and its editors have the terminal as their input. */
const openWithInput = async (words: readonly string[]): Promise<number | undefined> => {
	if (process.stdout.isTTY !== true) {
		throw noTerminal('give the text in a terminal: gh issue view 12 | delegate-tui --from -');
	}

	const [, program = ''] = process.argv;
	const again = [process.execPath, program, '--from', '/dev/fd/3', '--', ...words];
	return runInShell('exec "$@" 3<&0 </dev/tty', process.cwd(), again);
};

const noTerminal = (hint: string): Failure =>
	new Failure('usage', 'Planning a task needs the screen, and this is not a terminal.', {hint});

const planByFile = 'write a plan file, and start it: delegate-tui run PLAN.yaml --headless';

/** Reads an issue from a file or from standard input. */
const readIssue = async (file: string): Promise<string> => {
	if (!canShowScreen()) {
		throw noTerminal(planByFile);
	}

	try {
		return (await readFile(file, 'utf8')).trim();
	} catch (error) {
		throw new Failure('usage', `${file} can’t be read.`, {
			hint: 'give the path of a text',
			cause: error,
		});
	}
};

/** Returns the first line of a text, without the marks of a Markdown heading or of `title:`. */
const taskIn = (text: string): string =>
	(text.split('\n', 1)[0] ?? '').replace(/^(?:#+|title:)\s*/, '').trim();

/** Rejects a task that is the path of a file or whose first word looks like a mistyped command, and any task without a terminal to write its plan at. */
const requireTask = (words: readonly string[], program: Command): void => {
	const [first] = words;
	if (first === undefined) {
		return;
	}

	const names = program.commands.map(command => command.name());
	if (words.length === 1 && statSync(first, {throwIfNoEntry: false})?.isFile()) {
		throw new Failure('usage', `${first} is a file, not a task.`, {
			hint: `delegate-tui run ${inShell(first)} starts the plan in it; delegate-tui --from ${inShell(first)} plans what it asks for`,
		});
	}

	const isSentence = /\s/.test(first.trim()) || (words.length > 1 && /^\p{Lu}/u.test(first));
	const meant = isSentence ? undefined : didYouMean(first, names);
	if (meant !== undefined || (words.length === 1 && !isSentence && !canShowScreen())) {
		throw new Failure('usage', `There is no command "${first}".`, {
			hint:
				meant === undefined
					? 'delegate-tui --help'
					: `did you mean "${meant}"?${words.length > 2 ? ' Put a task that begins like this in quotes.' : ''}`,
		});
	}

	if (!canShowScreen()) {
		throw noTerminal(planByFile);
	}
};

const requireNoTask = (task: string | undefined, session: string): void => {
	if (task !== undefined) {
		throw new Failure(
			'refused',
			`Session ${session} is active in this repository; one at a time.`,
			{hint: `delegate-tui opens it; delegate-tui add "${task}" gives it one more agent`},
		);
	}
};
