import {isMap, isScalar, isSeq, type Node, stringify} from 'yaml';
import {enumerated} from '../../lib/text/words.ts';
import type {FieldType} from './fields.ts';
import {OnlyExample, placeholder, Unreadable} from './unreadable.ts';
import {plain, textOf} from './yaml.ts';

/** Any text. A list becomes its lines, and a structure stays as written, in YAML. */
export const text: FieldType<string> = {
	type: 'text',
	schema: {type: 'string'},
	template: placeholder,
	read: node => {
		if (isScalar(node)) {
			return wordsOf(node);
		}

		return isSeq(node) && node.items.every(isScalar)
			? listItems(node).join('\n')
			: stringify(plain(node)).trimEnd();
	},
};

/** Several texts: a YAML list, or lines of a text, with or without bullets. */
export const list: FieldType<readonly string[]> = {
	type: 'list of text',
	schema: {type: 'array', items: {type: 'string'}},
	template: meaning => [placeholder(meaning)],
	read: node => listItems(node),
};

/** One text, or a list when the text gave a list. */
export const textOrList: FieldType<string | readonly string[]> = {
	type: 'text or list of text',
	schema: {anyOf: [{type: 'string'}, {type: 'array', items: {type: 'string'}}]},
	template: placeholder,
	read: (node, name) => (isSeq(node) ? list.read(node, name) : text.read(node, name)),
};

/** Any YAML value, as JSON. */
export const anything: FieldType<unknown> = {
	type: 'any value',
	schema: {},
	template: placeholder,
	read: node => (isBlockScalar(node) ? wordsOf(node) : plain(node)),
};

export const flag: FieldType<boolean> = {
	type: 'true or false',
	schema: {type: 'boolean'},
	template: placeholder,
	read: (node, name) => {
		const word = textOf(node)?.toLowerCase() ?? '';
		if (!['true', 'false', 'yes', 'no'].includes(word)) {
			throw new Unreadable(`The field ${name} must be true or false.`);
		}

		return word === 'true' || word === 'yes';
	},
};

/** Duration of a wait in the agent's form: a number of seconds, or a text such as `5m`. */
export const wait: FieldType<string | number> = {
	type: 'text or number',
	schema: {anyOf: [{type: 'string'}, {type: 'number'}]},
	template: placeholder,
	read: (node, name) =>
		isScalar(node) && typeof node.value === 'number' && Number.isFinite(node.value)
			? node.value
			: text.read(node, name),
};

/** One of some words, in any case, with `_` and `-` as equal. */
export const choice = <const Word extends string>(...words: readonly Word[]): FieldType<Word> => ({
	type: enumerated(words, 'or'),
	schema: {type: 'string', enum: words},
	template: () => placeholder(enumerated(words, 'or')),
	read: (node, name) => {
		const said = textOf(node) ?? '';
		if (said.includes('|')) {
			throw new OnlyExample(`The field ${name} lists its choices.`);
		}

		const word = words.find(each => folded(each) === folded(said));
		if (word === undefined) {
			throw new Unreadable(`The field ${name} must be ${enumerated(words, 'or')}.`);
		}

		return word;
	},
});

/** Normalizes a word: case, and an emoji or a dot after it, are ignored. */
const folded = (word: string): string =>
	word
		.trim()
		.toLowerCase()
		.replaceAll('_', '-')
		.replace(/[^\p{L}\p{N}]{1,16}$/u, '');

/** Returns the text of a node; the newline that ends a block scalar is dropped. */
const wordsOf = (node: Node): string => {
	const words = textOf(node) ?? '';
	return isBlockScalar(node) ? words.trimEnd() : words;
};

const isBlockScalar = (node: Node): boolean => isScalar(node) && /^BLOCK/.test(node.type ?? '');

/** Returns the items of a list in any form; `- name: text` is one item of text. */
export const listItems = (node: Node): readonly string[] => {
	if (isSeq(node)) {
		return node.items.map(itemText).filter(item => item !== '');
	}

	if (isMap(node)) {
		return node.items.map(pair => `${textOf(pair.key) ?? ''}: ${itemText(pair.value)}`);
	}

	return isBlockScalar(node) ? linesOf(wordsOf(node)) : [wordsOf(node)];
};

const itemText = (item: unknown): string => {
	if (isScalar(item)) {
		return wordsOf(item);
	}

	const [pair, ...others] = isMap(item) ? item.items : [];
	const value = textOf(pair?.value);
	return pair !== undefined && value !== undefined && others.length === 0
		? `${textOf(pair.key)}: ${value}`
		: JSON.stringify(plain(item));
};

const linesOf = (words: string): readonly string[] =>
	words
		.split('\n')
		.map(line => line.replace(/^\s*[-*] /, '').trim())
		.filter(line => line !== '');
