import {agentVendors} from '../../events/vendors.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import type {CommandLeave, State} from '../state.ts';
import type {Agent} from './agent.ts';

/** Stands for any further words at the end of a pattern. */
const more = '*';

/** Programs that run their arguments as a command, so that a prefix of them limits nothing. */
const runners: readonly string[] = [
	...['sh', 'bash', 'dash', 'ksh', 'zsh', 'fish', 'eval', 'exec', 'source', '.', 'command'],
	...['env', 'nice', 'nohup', 'setsid', 'ssh', 'sudo', 'su', 'doas', 'time', 'timeout', 'xargs'],
	...['find', 'parallel', 'watch', 'npx', 'bunx', 'uvx', 'pipx', 'docker', 'podman'],
];

/** First words of commands that do the same. */
const runningBeginnings: readonly string[] = [
	...['npm exec', 'npm x', 'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx', 'bun x', 'uv run'],
	...['poetry run', 'pipenv run', 'bundle exec', 'rye run', 'git -c', 'git --exec-path'],
];

/** Programs that an agent could start as its own agents. */
export const agentPrograms: readonly string[] = [
	...agentVendors,
	...['claude-agent-acp', 'claude-code', 'codex-acp', 'gemini-cli', 'opencode-ai', 'delegate-tui'],
	...['aider', 'auggie', 'cline', 'cursor-agent'],
];

/** Returns the reason why a command can't be allowed for the session, in a sentence. */
export const whyNoAllowance = (command: string): string | undefined => {
	const words = plainShellWords(command) ?? [];
	return words.length === 0
		? 'Only a plain command can be allowed for the session, one without shell expansions, operators or redirections.'
		: whyNotOnce(words);
};

/** Returns the reason why a pattern can't be used, in a sentence. */
export const whyBadPattern = (pattern: string): string | undefined => {
	const {words, isOpen} = parts(pattern);
	const [program] = words;
	if (program === undefined) {
		return 'A pattern is the first words of a plain command and a * for any further ones, such as: node --test *';
	}

	return whyNotOnce(words) ?? (isOpen ? whyNotOpen(pattern, words) : undefined);
};

const whyNotOnce = (words: readonly string[]): string | undefined => {
	if (words.some(startsAgent)) {
		return 'No agent may start another one, so you are asked each time.';
	}

	return setsVariable.test(words[0] ?? '')
		? 'You are asked each time about a command that begins with a variable, since the variable may change what any program does.'
		: undefined;
};

const setsVariable = /^\w+=/;

const whyNotOpen = (pattern: string, words: readonly string[]): string | undefined => {
	const [program = '', verb = ''] = words;
	const name = nameOf(program);
	if (runners.includes(name) || runningBeginnings.includes(`${name} ${verb}`)) {
		return `${program} runs any command that it is given, so only a complete command of it can be allowed, without *.`;
	}

	return words.length < 2
		? `"${pattern}" would allow everything that ${program} can do; write at least one more word before the *.`
		: undefined;
};

/** Returns the proposed pattern for a command: the program with its subcommands and long options, without their arguments. */
export const proposedPattern = (command: string): string => {
	const words = plainShellWords(command) ?? [];
	const first = words.findIndex((word, index) => index > 0 && !isVerb(word));
	const verbs = words.slice(0, Math.min(first === -1 ? words.length : first, mostVerbs));
	const pattern = `${verbs.join(' ')} ${more}`;
	return whyBadPattern(pattern) === undefined ? pattern : command.trim();
};

/** Maximum number of words in a proposal, including the program. */
const mostVerbs = 3;

/** Returns whether a word is a subcommand or a long option; paths, values and short options are arguments. */
const isVerb = (word: string): boolean => /^(?:--)?[a-z][a-z:-]*$/.test(word);

/**
Returns the words of a command beyond its pattern, if the pattern covers it.

The caller must check that these run nothing else.
*/
export const wordsBeyond = (pattern: string, command: string): readonly string[] | undefined => {
	const {words, isOpen} = parts(pattern);
	const given = plainShellWords(command) ?? [];
	const isCovered =
		words.length > 0 &&
		words.every((word, index) => word === given[index]) &&
		(isOpen || given.length === words.length) &&
		whyNoAllowance(command) === undefined;
	const beyond = given.slice(words.length);
	return isCovered && !beyond.some(mayRun) ? beyond : undefined;
};

/** Returns whether a program may run a word: as another program, or as text with shell syntax. */
const mayRun = (word: string): boolean =>
	(word !== '.' && runners.includes(nameOf(word))) || /[;|&<>$`\n]|=.*\s/.test(word);

export const allowancesOf = <Given extends Pick<CommandLeave, 'agent'>>(
	allowances: readonly Given[],
	agent: string,
): readonly Given[] => allowances.filter(({agent: whose}) => whose === null || whose === agent);

const parts = (pattern: string): {readonly words: readonly string[]; readonly isOpen: boolean} => {
	const text = pattern.trim();
	const isOpen = text === more || text.endsWith(` ${more}`);
	return {words: plainShellWords(isOpen ? text.slice(0, -1) : text) ?? [], isOpen};
};

/** Returns the name of a program, or of a package without its version. */
export const nameOf = (word: string): string =>
	word.slice(word.lastIndexOf('/') + 1).replace(/(?<=.)@.*$/, '');

const startsAgent = (word: string): boolean => agentPrograms.includes(nameOf(word));

/** Maximum number of successive turns without progress, apart from retries of the model. */
const vainTurns = 10;

/** Returns the number of files that an agent may change before a person is asked. */
export const mostFiles = (
	{session}: Pick<State, 'session'>,
	{fileBudget}: Pick<Agent, 'fileBudget'>,
): number => fileBudget ?? session?.settings.files ?? Number.POSITIVE_INFINITY;

/** Returns the number of turns that may begin without a person's word or a change in the worktree. */
export const mostTurnsInVain = ({session}: State): number =>
	vainTurns + (session?.settings.modelRetriesMs.length ?? 0);

/** Returns whether an agent gets no further turn before a person says something: each turn costs a whole prompt, for any cause. */
export const isSpinning = (state: State, {turnsInVain}: Agent): boolean =>
	turnsInVain >= mostTurnsInVain(state);

/** Returns the reason why an agent is asked to report its state. */
export const whyClosing = ({of}: NonNullable<Agent['closing']>): string =>
	of === 'work'
		? 'its time is used up'
		: `its ${of === 'tokens' ? 'tokens are' : 'money is'} used up`;
