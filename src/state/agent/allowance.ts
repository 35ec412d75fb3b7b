import {agentVendors} from '../../events/vendors.ts';
import {plainShellWords} from '../../lib/text/shell-words.ts';
import type {CommandLeave, State} from '../state.ts';
import type {Agent} from './agent.ts';

/** Stands at the end of a pattern for any further words. */
const more = '*';

/** Programs that run their arguments as a command, so a prefix of them doesn't limit what runs. */
const runners: readonly string[] = [
	...['sh', 'bash', 'dash', 'ksh', 'zsh', 'fish', 'eval', 'exec', 'source', '.', 'command'],
	...['env', 'nice', 'nohup', 'setsid', 'ssh', 'sudo', 'su', 'doas', 'time', 'timeout', 'xargs'],
	...['find', 'parallel', 'watch', 'npx', 'bunx', 'uvx', 'pipx', 'docker', 'podman'],
];

/** Beginnings of commands that do so. */
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

/** Returns why leave for the session can't be given for a command at all, in a sentence. */
export const whyNoAllowance = (command: string): string | undefined => {
	const words = plainShellWords(command) ?? [];
	return words.length === 0
		? 'Only a plain command can be allowed for the session, one without shell expansions, operators or redirections.'
		: whyNotOnce(words);
};

/** Returns why a pattern can't be used, in a sentence. */
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

/** Returns the pattern that is proposed for a command: what it does as a rule, whatever it does it to. */
export const proposedPattern = (command: string): string => {
	const words = plainShellWords(command) ?? [];
	const first = words.findIndex((word, index) => index > 0 && !isVerb(word));
	const verbs = words.slice(0, Math.min(first === -1 ? words.length : first, mostVerbs));
	const pattern = `${verbs.join(' ')} ${more}`;
	return whyBadPattern(pattern) === undefined ? pattern : command.trim();
};

/** Words that are named in a proposal, the program included. */
const mostVerbs = 3;

/** A subcommand or a long option; paths, values and short options are what a command is given. */
const isVerb = (word: string): boolean => /^(?:--)?[a-z][a-z:-]*$/.test(word);

/**
Returns the words of a command that its pattern says nothing about, if it is covered by it.

Whoever allows the command must see that these lead nowhere else.
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

/** A word that a program may take for something to run: another program, or text that only a shell would need. */
const mayRun = (word: string): boolean =>
	(word !== '.' && runners.includes(nameOf(word))) || /[;|&<>$`\n]|=.*\s/.test(word);

/** Returns what an agent need not ask about. */
export const allowancesOf = <Given extends Pick<CommandLeave, 'agent'>>(
	allowances: readonly Given[],
	agent: string,
): readonly Given[] => allowances.filter(({agent: whose}) => whose === null || whose === agent);

const parts = (pattern: string): {readonly words: readonly string[]; readonly isOpen: boolean} => {
	const text = pattern.trim();
	const isOpen = text === more || text.endsWith(` ${more}`);
	return {words: plainShellWords(isOpen ? text.slice(0, -1) : text) ?? [], isOpen};
};

/** The name of a program, or of a package without its version. */
export const nameOf = (word: string): string =>
	word.slice(word.lastIndexOf('/') + 1).replace(/(?<=.)@.*$/, '');

const startsAgent = (word: string): boolean => agentPrograms.includes(nameOf(word));

/** Most turns in a row without progress, besides retries of its model. */
const vainTurns = 10;

/** Returns how many files an agent may change before a person is asked. */
export const mostFiles = (
	{session}: Pick<State, 'session'>,
	{fileBudget}: Pick<Agent, 'fileBudget'>,
): number => fileBudget ?? session?.settings.files ?? Number.POSITIVE_INFINITY;

/** Returns how many turns of an agent may begin without a word of a person or a change in its worktree. */
export const mostTurnsInVain = ({session}: State): number =>
	vainTurns + (session?.settings.modelRetriesMs.length ?? 0);

/** Returns whether no turn of an agent begins any more before a person says something: whatever the cause, each is a whole prompt. */
export const isSpinning = (state: State, {turnsInVain}: Agent): boolean =>
	turnsInVain >= mostTurnsInVain(state);

/** Returns why an agent is to say where it stands, as the reason for what follows. */
export const whyClosing = ({of}: NonNullable<Agent['closing']>): string =>
	of === 'work'
		? 'its time is used up'
		: `its ${of === 'tokens' ? 'tokens are' : 'money is'} used up`;
