import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {didYouMean} from '../../rules/plan/finding.ts';
import {print} from '../output.ts';
import {type Topic, topics} from '../topics/topics.ts';

export const addHelp = (program: Command): void => {
	program
		.helpCommand(false)
		.addHelpText('after', `\nTopics, with help TOPIC:\n${topicList()}`)
		.command('help [name] [file]')
		.description(`a command, or a topic: ${topics.map(({name}) => name).join(', ')}`)
		.action(async (name: string | undefined, file: string | undefined) => {
			const topic = topics.find(each => each.name === name);
			if (file !== undefined) {
				print(await textFor(topic, file));
			} else if (topic === undefined) {
				commandOf(program, name).outputHelp();
			} else {
				print(await topic.text());
			}
		});
};

const textFor = (topic: Topic | undefined, file: string): Promise<string> => {
	if (topic?.textFor === undefined) {
		const takers = topics.filter(each => each.textFor !== undefined).map(({name}) => name);
		throw new Failure('usage', `Only help on ${takers.join(', ')} takes a file.`, {
			hint: `delegate-tui help ${takers[0]} ${file}`,
		});
	}

	return topic.textFor(file);
};

const topicList = (): string =>
	topics.map(({name, help}) => `  ${name.padEnd(10)}${help}`).join('\n');

const commandOf = (program: Command, name: string | undefined): Command => {
	const command =
		name === undefined ? program : program.commands.find(each => each.name() === name);
	if (command !== undefined) {
		return command;
	}

	const names = [...topics, ...program.commands.map(each => ({name: each.name()}))];
	const meant = didYouMean(
		name ?? '',
		names.map(each => each.name),
	);
	throw new Failure('usage', `There is no help on "${name}".`, {
		hint: meant === undefined ? 'delegate-tui help' : `did you mean "${meant}"?`,
	});
};
