import {Command, CommanderError} from 'commander';
import {exitCodes, Failure} from '../lib/failure.ts';
import {sentenceCase} from '../lib/text/words.ts';
import {didYouMean} from '../rules/plan/finding.ts';
import {version} from './output.ts';

/** Parses the command line arguments, and runs the command that they name. */
export const runParsed = async (words: readonly string[]): Promise<void> => {
	const program = createProgram();
	try {
		for (const add of await loadCommands(words)) {
			add(program);
		}

		await program.parseAsync(words, {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) {
			throw error;
		}

		if (error.exitCode !== 0 && error.code !== 'commander.help') {
			throw misused(error, words, program);
		}

		process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
	}
};

/** Turns an error of the argument parser into a `Failure`; after a misspelled command the parser saw only its arguments. */
const misused = (
	{code, message}: CommanderError,
	[name = '']: readonly string[],
	program: Command,
): Failure => {
	const names = program.commands.map(command => command.name());
	const meant = names.includes(name) ? undefined : didYouMean(name, names);
	if (meant !== undefined) {
		return new Failure('usage', `There is no command "${name}".`, {
			hint: `did you mean "${meant}"?`,
		});
	}

	const [line = message] = message.replace(/^error: /, '').split('\n');
	const sentence = line.replace(/\.+$/, '');
	const asTask =
		code === 'commander.excessArguments'
			? `; for a task that begins like this: delegate-tui "${name} …"`
			: '';
	return new Failure('usage', `${sentenceCase(sentence)}.`, {
		hint: names.includes(name) ? `delegate-tui help ${name}${asTask}` : 'delegate-tui --help',
	});
};

/** Loads the command that the words name; all commands for help, completion or an unknown name. */
const loadCommands = async ([name = '']: readonly string[]): Promise<readonly Add[]> => {
	const chosen = name === 'help' ? undefined : commands.get(name);
	const loads = new Set(chosen === undefined ? commands.values() : [chosen]);
	return Promise.all([...loads].map(load => load()));
};

/** Returns the program with all commands, for their descriptions. */
export const wholeProgram = async (): Promise<Command> => {
	const program = createProgram();
	for (const add of await loadCommands(['help'])) {
		add(program);
	}

	return program;
};

const createProgram = (): Command =>
	new Command('delegate-tui')
		.description(
			'Three coding agents at once, each in its own worktree and scope; nothing merged without you.',
		)
		.version(version)
		.exitOverride()
		.configureOutput({outputError: () => {}});

type Add = (program: Command) => void;

const loadPlan = async (): Promise<Add> => (await import('./commands/plan.ts')).addPlan;

/** All commands by name, in the order of the help; the empty name is the default. A file is loaded when its command is chosen. */
const commands: ReadonlyMap<string, () => Promise<Add>> = new Map(
	Object.entries({
		'': async () => (await import('./commands/open.ts')).addOpen,
		init: async () => (await import('./commands/init.ts')).addInit,
		plan: loadPlan,
		delegate: loadPlan,
		run: async () => (await import('./commands/run.ts')).addRun,
		token: async () => (await import('./commands/token.ts')).addToken,
		trust: async () => (await import('./commands/trust.ts')).addTrust,
		demo: async () => (await import('./commands/demo.ts')).addDemo,
		status: async () => (await import('./commands/status.ts')).addStatus,
		inbox: async () => (await import('./commands/inbox.ts')).addInbox,
		answer: async () => (await import('./commands/answer.ts')).addAnswer,
		add: async () => (await import('./commands/add.ts')).addAdd,
		agent: async () => (await import('./commands/agent.ts')).addAgent,
		agents: async () => (await import('./commands/agents.ts')).addAgents,
		diff: async () => (await import('./commands/diff.ts')).addDiff,
		log: async () => (await import('./commands/log.ts')).addLog,
		report: async () => (await import('./commands/report.ts')).addReport,
		sessions: async () => (await import('./commands/sessions.ts')).addSessions,
		conflicts: async () => (await import('./commands/conflicts.ts')).addConflicts,
		signals: async () => (await import('./commands/signals.ts')).addSignals,
		notify: async () => (await import('./commands/notify.ts')).addNotify,
		web: async () => (await import('./commands/web.ts')).addWeb,
		sync: async () => (await import('./commands/sync.ts')).addSync,
		stop: async () => (await import('./commands/stop.ts')).addStop,
		doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
		undo: async () => (await import('./commands/undo.ts')).addUndo,
		publish: async () => (await import('./commands/publish.ts')).addPublish,
		watch: async () => (await import('./commands/watch.ts')).addWatch,
		completion: async () => (await import('./commands/completion.ts')).addCompletion,
		supervise: async () => (await import('./commands/supervise.ts')).addSupervise,
		'scripted-agent': async () => (await import('./commands/scripted-agent.ts')).addScriptedAgent,
		'agent-tools': async () => (await import('./commands/agent-tools.ts')).addAgentTools,
		help: async () => (await import('./commands/help.ts')).addHelp,
	}),
);
