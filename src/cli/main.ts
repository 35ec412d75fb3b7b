import {Command, CommanderError} from 'commander';
import {asFailure, exitCodes, Failure} from '../lib/failure.ts';
import {didYouMean} from '../rules/plan/finding.ts';
import {addAdd} from './commands/add.ts';
import {addAgent} from './commands/agent.ts';
import {addAgentTools} from './commands/agent-tools.ts';
import {addAnswer} from './commands/answer.ts';
import {addCompletion} from './commands/completion.ts';
import {addConflicts} from './commands/conflicts.ts';
import {addDemo} from './commands/demo.ts';
import {addDiff} from './commands/diff.ts';
import {addDoctor} from './commands/doctor.ts';
import {addHelp} from './commands/help.ts';
import {addInbox} from './commands/inbox.ts';
import {addInit} from './commands/init.ts';
import {addLog} from './commands/log.ts';
import {addNotify} from './commands/notify.ts';
import {addOpen} from './commands/open.ts';
import {addPlan} from './commands/plan.ts';
import {addReport} from './commands/report.ts';
import {addRun} from './commands/run.ts';
import {addScriptedAgent} from './commands/scripted-agent.ts';
import {addSessions} from './commands/sessions.ts';
import {addSignals} from './commands/signals.ts';
import {addStatus} from './commands/status.ts';
import {addStop} from './commands/stop.ts';
import {addSupervise} from './commands/supervise.ts';
import {addSync} from './commands/sync.ts';
import {addToken} from './commands/token.ts';
import {addTrust} from './commands/trust.ts';
import {addUndo} from './commands/undo.ts';
import {addWatch} from './commands/watch.ts';
import {addWeb} from './commands/web.ts';
import {reportFailure, version} from './output.ts';
import {takeToken} from './reach-supervisor.ts';

/** Runs the program with the words that follow its name; the only place that sets an exit code on failure. */
export const main = async (words: readonly string[]): Promise<void> => {
	// A reader that goes away (`| head`) is no error of ours.
	process.stdout.on('error', () => process.exit());
	takeToken(process.env);
	const program = createProgram();
	try {
		await program.parseAsync(words, {from: 'user'});
	} catch (error) {
		if (
			error instanceof CommanderError &&
			(error.exitCode === 0 || error.code === 'commander.help')
		) {
			process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
			return;
		}

		const failure =
			error instanceof CommanderError ? misused(error, words, program) : asFailure(error);
		reportFailure(failure, words.includes('--json'));
		process.exitCode = exitCodes[failure.kind];
	}
};

/** What the parser of words complains about, in the form of all our errors; of a command with a slip in its name it saw only what came behind it. */
const misused = (
	{message}: CommanderError,
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
	return new Failure('usage', `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`, {
		hint: names.includes(name) ? `delegate-tui help ${name}` : 'delegate-tui --help',
	});
};

const createProgram = (): Command => {
	const program = new Command('delegate-tui')
		.description(
			'Three coding agents at once, each in its own worktree and scope; nothing merged without you.',
		)
		.version(version)
		.exitOverride()
		.configureOutput({outputError: () => {}});
	for (const add of [
		addOpen,
		addInit,
		addPlan,
		addRun,
		addToken,
		addTrust,
		addDemo,
		addStatus,
		addInbox,
		addAnswer,
		addAdd,
		addAgent,
		addDiff,
		addLog,
		addReport,
		addSessions,
		addConflicts,
		addSignals,
		addNotify,
		addWeb,
		addSync,
		addStop,
		addDoctor,
		addUndo,
		addWatch,
		addCompletion,
		addSupervise,
		addScriptedAgent,
		addAgentTools,
		addHelp,
	]) {
		add(program);
	}

	return program;
};
