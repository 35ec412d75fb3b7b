import type {Command} from 'commander';
import {inbox} from '../../rules/inbox.ts';
import type {State} from '../../state/state.ts';
import {verbs} from '../agent/agent-order.ts';

/** A word that could come next, and what it means. */
export type Candidate = {readonly value: string; readonly meaning: string};

/** What can be named besides commands and options. */
export type Names = {
	/** The session that is under way, if there is one. */
	readonly state: State | undefined;
	readonly sessions: readonly string[];
	readonly scenes: readonly Candidate[];
	readonly topics: readonly Candidate[];
	readonly shells: readonly string[];
};

/**
Returns what could stand in place of the last of these words, which follow the program's name; the last may be empty.

Nothing where a file belongs: the shell knows those better.
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

/** Leaves out options, and the values of those that take one; the last word is asked about, so one that is a value leaves no argument. */
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

/** `given` are the arguments up to the one that is asked about. */
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
