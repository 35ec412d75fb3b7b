import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {inbox} from '../../rules/inbox.ts';
import type {State} from '../../state/state.ts';
import {sessionsOf} from '../../supervisor/folder.ts';
import {verbs} from '../agent/agent-order.ts';
import {summaries} from '../demo/scenes.ts';
import {findHere, isActive, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {topics} from '../topics/topics.ts';

/** Adds the command `completion`, which prints a shell's completion script, and `complete`, which that script calls. */
export const addCompletion = (program: Command): void => {
	program
		.command('completion <shell>')
		.description(`complete commands, items and choices in ${shells.join(', ')}`)
		.action((shell: string) => {
			if (!isShell(shell)) {
				throw new Failure('usage', `There is no completion for "${shell}".`, {
					hint: `shells: ${shells.join(', ')}`,
				});
			}

			print(completionScripts[shell]);
		});
	program.command('complete [words...]', {hidden: true}).action(async (words: string[]) => {
		const offered = candidates(program, words, await namesHere());
		for (const {value, meaning} of offered) {
			process.stdout.write(`${sanitize(value)}\t${sanitize(meaning)}\n`);
		}
	});
};

const isShell = (name: string): name is Shell => shells.some(shell => shell === name);

/** Returns the names that exist here; outside of a repository, and before the first session, there are fewer. */
const namesHere = async (): Promise<Names> => {
	const here = await findHere().catch(() => undefined);
	const session = here && (await readLastSession(here).catch(() => undefined));
	return {
		state: isActive(session) ? session.state : undefined,
		sessions: here === undefined ? [] : sessionsOf(here.folder),
		scenes: Object.entries(summaries).map(([value, meaning]) => ({value, meaning})),
		topics: topics.map(({name, help}) => ({value: name, meaning: help})),
		shells,
	};
};

/** Shells that have a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
Completion scripts; each calls `delegate-tui complete WORD…`, so that they don't contain the commands.

A line of the answer is a word, a tab and its meaning. Without an answer the shell offers files.
*/
export const completionScripts: Readonly<Record<Shell, string>> = {
	// Bash ends a word at a colon, and conflicts are answered with "choose-one:AGT-001": words are split at
	// spaces here, and the part up to the last colon is removed from the candidates.
	bash: `# delegate-tui in bash: eval "$(delegate-tui completion bash)" in ~/.bashrc
_delegate_tui() {
	local line=\${COMP_LINE:0:COMP_POINT} parts part words=() last value meaning
	read -ra parts <<<"$line"
	[[ $line == *' ' ]] && parts+=('')
	for part in "\${parts[@]}"; do
		if [[ \${#words[@]} -gt 0 && $last == *\\\\ ]]; then
			words[\${#words[@]}-1]="\${last%\\\\} $part"
		else
			words+=("$part")
		fi
		last=\${words[\${#words[@]}-1]}
	done
	COMPREPLY=()
	while IFS=$'\\t' read -r value meaning; do
		printf -v value '%q' "$value"
		[[ $last == *:* && $COMP_WORDBREAKS == *:* ]] && value=\${value#"\${last%:*}:"}
		COMPREPLY+=("$value")
	done < <(delegate-tui complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _delegate_tui delegate-tui`,
	zsh: `#compdef delegate-tui
# delegate-tui in zsh: eval "$(delegate-tui completion zsh)" in ~/.zshrc, after compinit
_delegate_tui() {
	local -a values lines
	local value meaning
	while IFS=$'\\t' read -r value meaning; do
		values+=("$value")
		lines+=("$value  $meaning")
	done < <(delegate-tui complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
	(( \${#values} )) && compadd -l -d lines -a values || _files
}
compdef _delegate_tui delegate-tui`,
	fish: `# delegate-tui in fish: delegate-tui completion fish | source, in ~/.config/fish/config.fish
function __delegate_tui
	set -l last (commandline -ct)
	set -l words (commandline -opc) (string unescape -- $last; or string trim -lc '"\\'' -- $last)
	set -l answers (delegate-tui complete -- $words[2..] 2>/dev/null)
	if test (count $answers) -gt 0
		printf '%s\\n' $answers
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c delegate-tui -f -a '(__delegate_tui)'`,
};

/** A possible next word, and its meaning. */
export type Candidate = {readonly value: string; readonly meaning: string};

/** Names besides commands and options. */
export type Names = {
	readonly state: State | undefined;
	readonly sessions: readonly string[];
	readonly scenes: readonly Candidate[];
	readonly topics: readonly Candidate[];
	readonly shells: readonly string[];
};

/**
Returns the candidates for the last of these words, which follow the program's name; the last may be empty.

Empty if a file is expected, since the shell completes those better.
*/
export const candidates = (
	program: Command,
	words: readonly string[],
	names: Names,
): readonly Candidate[] => {
	const [name = '', ...rest] = words;
	const last = words.at(-1) ?? '';
	const command = rest.length === 0 ? program : program.commands.find(one => one.name() === name);
	const offered =
		command === undefined
			? []
			: last.startsWith('-')
				? optionsOf(command)
				: rest.length === 0
					? commandsOf(program)
					: argumentsOf(command, argumentsIn(command, rest), names);
	return offered.filter(({value}) => value.startsWith(last));
};

/** Returns the arguments without options and their values; if the last word is an option's value, there is no argument to complete. */
const argumentsIn = (command: Command, words: readonly string[]): readonly string[] => {
	const isValue = (position: number): boolean =>
		command.options.some(
			({long, short, required}) => required && [long, short].includes(words[position - 1] ?? ''),
		);
	return isValue(words.length - 1)
		? []
		: words.filter((word, position) => !word.startsWith('-') && !isValue(position));
};

const commandsOf = (program: Command): readonly Candidate[] =>
	program
		.createHelp()
		.visibleCommands(program)
		.map(command => ({value: command.name(), meaning: command.description()}));

const optionsOf = (command: Command): readonly Candidate[] =>
	command
		.createHelp()
		.visibleOptions(command)
		.flatMap(({long, description}) => (long ? [{value: long, meaning: description}] : []));

/** @param given Arguments up to the one to complete. */
const argumentsOf = (
	command: Command,
	given: readonly string[],
	names: Names,
): readonly Candidate[] => {
	const [first = ''] = given;
	switch (`${command.name()} ${given.length}`) {
		case 'answer 1':
			return itemsIn(names).map(({id, title}) => ({value: id, meaning: title}));
		case 'answer 2':
			return (itemsIn(names).find(({id}) => id === first)?.choices ?? [])
				.filter(({whyNot}) => whyNot === undefined)
				.map(({choice, label}) => ({value: choice, meaning: label}));
		case 'agent 1':
		case 'diff 1':
			return (names.state?.agents ?? []).map(({id, subtask}) => ({
				value: id,
				meaning: subtask.subtask,
			}));
		case 'agent 2':
			return verbs.map(value => ({value, meaning: 'what it is to do'}));
		case 'log 1':
		case 'report 1':
			return names.sessions.map(value => ({value, meaning: 'a session'}));
		case 'demo 1':
			return names.scenes;
		case 'help 1':
			return names.topics;
		case 'completion 1':
			return names.shells.map(value => ({value, meaning: 'a shell'}));
		default:
			return [];
	}
};

const itemsIn = ({state}: Names) => (state === undefined ? [] : inbox(state));
