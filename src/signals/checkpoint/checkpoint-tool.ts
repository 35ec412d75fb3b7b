import {isMap, type Node} from 'yaml';
import {defined} from '../../lib/defined.ts';
import {noLine, type Tool} from '../definition.ts';
import {
	defaulted,
	type Fields,
	type Kind,
	optional,
	readFields,
	required,
	schemaOf,
} from '../fields/fields.ts';
import {choice, flag, list, text} from '../fields/kinds.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {entriesOf, nodesOf, textOf} from '../fields/yaml.ts';
import {readToolFields} from '../tool.ts';
import {type Checkpoint, REQUESTS, STATUSES} from './checkpoint-reading.ts';
import {RESULTS} from './checkpoint-tests.ts';
import {isNone} from './checkpoint-words.ts';

/** The tool that says a checkpoint: the sections of the banner as fields. */
export const checkpointTool = (help: string): Tool<Checkpoint> => ({
	name: 'checkpoint',
	help,
	schema: schemaOf(FIELDS),
	read: given => {
		if (!Object.keys(FIELDS).some(name => name in given)) {
			throw new Unreadable('The checkpoint has no section.');
		}

		const {changes, tests, blockers, ...said} = readFields(FIELDS, readToolFields(given));
		return {
			kind: 'checkpoint',
			line: noLine,
			...said,
			changes: changes.map(({file, action, description}) => ({
				file: oneLine(file),
				action: oneLine(action),
				description: oneLine(description),
			})),
			...defined({tests}),
			blockers: blockers === undefined || isNone(blockers) ? null : blockers.trim(),
			questions: said.questions.map(oneLine).filter(question => !isNone(question)),
		};
	},
});

/** What stands in a row of the banner's table, or in an item of its lists, has no line ends. */
const oneLine = (words: string): string => words.replaceAll(/\s+/g, ' ').trim();

const percent: Kind<number> = {
	type: '0 to 100',
	schema: {type: 'number', minimum: 0, maximum: 100},
	template: () => 0,
	read: (node, name) => {
		const said = Number(textOf(node)?.replace(/%$/, '') || Number.NaN);
		if (!(said >= 0 && said <= 100)) {
			throw new Unreadable(`The field ${name} must be a number from 0 to 100.`);
		}

		return said;
	},
};

/** Several values with fields of their own. */
const listOf = <F extends Fields>(
	fields: F,
): Kind<readonly ReturnType<typeof readFields<F>>[]> => ({
	type: 'list',
	schema: {type: 'array', items: schemaOf(fields)},
	template: () => [],
	read: (node, name) => nodesOf(node).map(item => readOne(fields, item, name)),
});

/** One value with fields of its own. */
const one = <F extends Fields>(fields: F): Kind<ReturnType<typeof readFields<F>>> => ({
	type: 'fields',
	schema: schemaOf(fields),
	template: () => ({}),
	read: (node, name) => readOne(fields, node, name),
});

const readOne = <F extends Fields>(fields: F, node: Node, name: string) => {
	if (!isMap(node)) {
		throw new Unreadable(`The field ${name} takes ${Object.keys(fields).join(', ')}.`);
	}

	return readFields(fields, entriesOf(node));
};

const FIELDS = {
	status: optional(choice(...STATUSES), 'where you stand'),
	progress: optional(percent, 'how far you are, in percent'),
	changes: defaulted(
		listOf({
			file: required(text, 'its path'),
			action: required(text, 'created, modified or deleted'),
			description: defaulted(text, '', 'in short'),
		}),
		[],
		'files you changed',
	),
	tests: optional(
		one({
			executed: required(flag, 'whether they ran'),
			result: optional(choice(...RESULTS), 'what came of it'),
			failed: defaulted(list, [], 'a test that failed'),
		}),
		'whether tests ran and passed',
	),
	blockers: optional(text, 'what blocks you, if anything does'),
	questions: defaulted(list, [], 'a question to the person'),
	request: optional(choice(...REQUESTS), 'what you ask for'),
} satisfies Fields;
