import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {MissingProgram} from '../../rules/plan/missing-among.ts';

/** What is known of the repository that a plan is composed for. */
export type Desk = {
	/** What the plan is for: a session to start, in place of a plan that waits for its approval, or one more agent of a session under way. */
	readonly purpose: 'start' | 'edit' | 'add';
	/** The agent that is dropped for the one that is added, if one is. */
	readonly instead?: string;
	/** The tracked files. */
	readonly files: readonly string[];
	/** The agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Returns whether a path of the repository leads to something. */
	readonly isThere: (path: string) => boolean;
	/** Returns why an agent can't be started here, if so. */
	readonly missingProgram: (agent: AgentProfile) => MissingProgram | undefined;
	/** How long an agent may work that does not say, in milliseconds. */
	readonly timeoutMs: number;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** How many files an agent may reach without a warning. */
	readonly filesLimit: number;
	/** The branch that is checked out, if any. */
	readonly branch?: string;
	/** How the last session ended, in one line. */
	readonly lastEnd?: string;
};

/** Returns the agent that a new subtask begins with: the one that plans take without being told, else the first there is. */
export const firstAgent = ({profiles}: Desk): string => {
	const names = Object.keys(profiles);
	return names.includes('claude') ? 'claude' : (names[0] ?? '');
};

/** Reads commands, one a line; a line that begins with a space goes on with the command above it. */
export const splitCommands = (text: string): readonly string[] => {
	const commands: string[] = [];
	for (const line of text.split('\n')) {
		const last = commands.at(-1);
		if (/^\s/.test(line) && last !== undefined) {
			commands[commands.length - 1] = `${last}\n${line.replace(/^ {1,2}/, '')}`;
		} else if (line.trim() !== '') {
			commands.push(line);
		}
	}

	return commands;
};

/** Writes commands as `splitCommands` reads them. */
export const joinCommands = (commands: readonly string[]): string =>
	commands.map(command => command.replaceAll('\n', '\n  ')).join('\n');

/**
Takes a line apart at its spaces, as shells do with quotes and without anything else: what stands in `'…'` or `"…"` stands for itself, and so does a backslash.

A quote that is not closed reaches to the end.
*/
export const splitWords = (line: string): readonly string[] =>
	[...line.matchAll(word)].map(([text]) =>
		text.replaceAll(quoted, (_, single?: string, double?: string) => single ?? double ?? ''),
	);

const word = /(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|[^\s'"])+/g;
const quoted = /'([^']*)(?:'|$)|"([^"]*)(?:"|$)/g;

/** Tells whether a line ends inside a quote. */
export const isQuoteOpen = (line: string): boolean =>
	/['"]/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, ''));

/** Writes words as the line that `splitWords` takes apart into them. */
export const joinWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (text: string): string => {
	if (text !== '' && !/[\s'"]/.test(text)) {
		return text;
	}

	return text.includes("'")
		? text
				.split(/('+)/)
				.filter(part => part !== '')
				.map(part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
				.join('')
		: `'${text}'`;
};
