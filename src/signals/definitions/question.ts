import {isMap, isScalar, isSeq, type Node, type YAMLMap} from 'yaml';
import {defined} from '../../lib/values.ts';
import {
	defaulted,
	type Fields,
	type FieldType,
	optional,
	readFields,
	required,
	schemaOf,
	type Values,
} from '../fields/fields.ts';
import {choice, flag, list, listItems, text, wait} from '../fields/kinds.ts';
import {isBlank, OnlyExample, placeholder, Unreadable} from '../fields/unreadable.ts';
import {fieldEntries, textOf} from '../fields/yaml.ts';

const options: FieldType<readonly string[]> = {
	...list,
	read: (node, name) => {
		const written = textOf(node);
		return written?.includes('|') && isScalar(node) && !written.includes('\n')
			? written.split('|').map(option => option.trim())
			: list.read(node, name);
	},
};

/** Fields of a question; answers are checked against the same fields. */
export const questionFields = {
	id: optional(text, 'a short name, to tell answers apart'),
	question: required(text, 'what you need to know'),
	type: optional(
		choice('choice', 'yes-no', 'text', 'path', 'number', 'regex'),
		'what an answer looks like',
	),
	options: defaulted(options, [], 'an answer to choose'),
	required: defaulted(flag, true, 'whether you need this answer to go on'),
	pattern: optional(text, 'the regular expression an answer must match'),
	multi: optional(flag, 'whether several options may be chosen'),
	context: optional(text, 'why you ask'),
	default_wait: optional(wait, 'how long a quick answer helps you'),
	urgent: optional(flag, 'whether it is urgent'),
} satisfies Fields;

export type Question = Values<typeof questionFields>;

/** Questions in every form that agents use: a list of texts, of `Q1: text`, or of fields with a `question`; a mapping of ids to any of these; or one text, with a question per line if each line is marked as one. */
export const questions: FieldType<readonly Question[]> = {
	type: 'list of questions',
	schema: {type: 'array', items: schemaOf(questionFields)},
	parts: questionFields,
	template: () => [
		{
			id: placeholder('a short name'),
			question: placeholder('the question'),
			options: [placeholder('an answer to choose')],
		},
	],
	read: (node, name) => {
		if (isSeq(node)) {
			return node.items.flatMap(item => readItem(item, name));
		}

		if (isMap(node)) {
			return readMap(node, name, key => /^[\w-]+$/.test(key));
		}

		return linesOf(text.read(node, name)).map(asQuestion);
	},
};

const readItem = (item: unknown, name: string): readonly Question[] => {
	if (isMap(item)) {
		return readMap(item, name, key => QUESTION_ID.test(key));
	}

	const words = textOf(item)?.trimEnd() ?? '';
	if (words === '') {
		throw new Unreadable(`Each item of ${name} must be a question.`);
	}

	return [asQuestion(words)];
};

/** Reads a mapping: one question if it has the field, otherwise one for each id. */
const readMap = (
	node: YAMLMap,
	name: string,
	isId: (key: string) => boolean,
): readonly Question[] => {
	const entries = fieldEntries(node);
	const keys = [...entries.keys()];
	if (entries.has('question')) {
		return [readFields(questionFields, entries)];
	}

	if (keys.some(key => key in questionFields) || !(keys.length === 1 || keys.every(isId))) {
		throw new Unreadable(`Each item of ${name} needs the field question.`);
	}

	return [...entries].map(([key, value]) => readEntry(key, value, name, isId(key)));
};

/** Reads an entry; `- Which one: a or b?` is a mapping in YAML, so a key counts only if it looks like an id. */
const readEntry = (key: string, value: Node, name: string, isId: boolean): Question => {
	const id = isId ? {id: key} : {};
	if (isMap(value)) {
		return {...id, ...readFields(questionFields, fieldEntries(value))};
	}

	const words = listItems(value).join('\n');
	if (words === '') {
		throw new Unreadable(`The question ${key} of ${name} is empty.`);
	}

	return {...id, ...asQuestion(isId ? words : `${key}: ${words}`)};
};

/** Matches a name without spaces and with a digit, such as `Q1`, `q-2` and `3`. */
export const QUESTION_ID = /^[A-Za-z_-]*\d+$/;

const MARKED_LINE = /^(?:[-*]\s+)?(?:([A-Za-z]?\d+)\s*[:.)]\s+)?(.*)$/;

const linesOf = (words: string): readonly string[] => {
	const lines = words.split('\n').filter(line => line.trim() !== '');
	const isMarked = lines.every(line => /^\s*(?:[-*]|[A-Za-z]?\d+[:.)])\s/.test(line));
	return isMarked ? lines.map(line => line.trim()) : [words];
};

const asQuestion = (words: string): Question => {
	const [, id, question = words] = words.includes('\n') ? [] : (MARKED_LINE.exec(words) ?? []);
	if (isBlank(question)) {
		throw new OnlyExample('The question is not filled in.');
	}

	return {...defined({id}), question, options: [], required: true};
};
