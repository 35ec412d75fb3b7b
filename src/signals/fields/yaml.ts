import {type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLError} from 'yaml';
import {createYamlParser} from '../../lib/text/yaml-document.ts';
import {Unreadable} from './unreadable.ts';

/** Fields of a mapping, in order. */
export type Entries = ReadonlyMap<string, Node>;

/**
Reads the body of a block: YAML, core schema, without aliases, anchors, tags or repeated keys, and with one leniency: a plain value may contain `: `, as in `details: Stopped: no disk`.

A body may also be a list of one-field items (`- details: …`), as some agents write it, also with wrapped values below their names. Callers limit the length first, since an agent must not control the parser's running time.
*/
export const readBody = (body: string): Entries => {
	const {contents} = parseLeniently(body);
	if (contents === null) {
		throw new Unreadable('The block has no fields.');
	}

	refuse(contents);
	return isSeq(contents) ? entriesOfItems(contents.items) : fieldEntries(contents);
};

/** Parses a body; a value below `- name:` is indented like the name, so without the dash it is a field. */
const parseLeniently = (body: string): ReturnType<typeof parseYaml> => {
	try {
		return parseYaml(body);
	} catch (error) {
		const isDashed = !/^(?!- [a-z_]+:(?:\s|$)|\s)/m.test(body.trimEnd());
		if (!isDashed) {
			throw error;
		}

		return parseYaml(body.replaceAll(/^- /gm, ''));
	}
};

/** Returns the fields of a node, which must be a mapping. */
export const fieldEntries = (node: unknown): Entries => {
	if (!isMap(node)) {
		throw new Unreadable('The block must hold fields, each written as "name: value".');
	}

	return new Map(node.items.map(pair => [keyOf(pair.key), nodeOf(pair.value)]));
};

/** Returns the items of a list; any other node is its only item. */
export const nodesOf = (node: Node): readonly Node[] =>
	isSeq(node) ? node.items.map(nodeOf) : [node];

/** Returns the source text of a scalar, so that `2.10` stays `2.10`; `undefined` for any other node, or null. */
export const textOf = (node: unknown): string | undefined => {
	if (!isScalar(node) || node.value === null) {
		return undefined;
	}

	return node.source ?? String(node.value);
};

/** Returns a node as plain JSON. */
export const plain = (node: unknown): unknown => {
	if (isMap(node)) {
		return Object.fromEntries(node.items.map(pair => [keyOf(pair.key), plain(pair.value)]));
	}

	if (isSeq(node)) {
		return node.items.map(plain);
	}

	const value = isScalar(node) ? node.value : null;
	return typeof value === 'number' && !Number.isFinite(value) ? textOf(node) : value;
};

/** Refuses YAML features without use in a signal, each of which would silently change or drop words. */
const refuse = (node: unknown): void => {
	if (isAlias(node)) {
		throw new Unreadable(`An unquoted value must not start with "*" (*${node.source}).`);
	}

	if ((isScalar(node) || isMap(node) || isSeq(node)) && (node.anchor || node.tag)) {
		const start = node.anchor ? `&${node.anchor}` : node.tag;
		throw new Unreadable(`An unquoted value must not start with "&" or "!" (${start}).`);
	}

	if (isMap(node)) {
		refuseRepeatedKeys(node.items.map(pair => keyOf(pair.key)));
		for (const pair of node.items) {
			refuseComment(keyOf(pair.key), pair.value);
			refuse(pair.key);
			refuse(pair.value);
		}
	} else if (isSeq(node)) {
		node.items.forEach(refuse);
	}
};

const refuseRepeatedKeys = (keys: readonly string[]): void => {
	const seen = new Set<string>();
	for (const key of keys) {
		if (seen.has(key)) {
			throw new Unreadable(`The field ${key} is given twice.`);
		}

		seen.add(key);
	}
};

/** Refuses a value that is lost as a comment: `details: #12 fails` is an empty value and a comment in YAML. */
const refuseComment = (key: string, value: unknown): void => {
	if (isScalar(value) && value.value === null && value.comment) {
		throw new Unreadable(`The value of ${key} must be quoted, as it starts with "#".`);
	}
};

const entriesOfItems = (items: readonly unknown[]): Entries => {
	const entries = items.flatMap(item => [...fieldEntries(item)]);
	refuseRepeatedKeys(entries.map(([key]) => key));
	return new Map(entries);
};

const keyOf = (key: unknown): string => {
	const text = textOf(key);
	if (text === undefined) {
		throw new Unreadable('A field name must be text.');
	}

	return text;
};

const nodeOf = (value: unknown): Node => {
	if (isMap(value) || isSeq(value) || isScalar(value) || isAlias(value)) {
		return value;
	}

	throw new Unreadable('A field has no value that can be read.');
};

/** Maximum number of nodes in a block. A list of two hundred files with their states has fewer. */
const PART_COUNT = 5000;

/** Parses a text as YAML, core schema, in which a plain value may contain `: `; throws `Unreadable` for any other error, and for a text that would take long. */
const parseYaml = (body: string): Document.Parsed => {
	const parser = createYamlParser(PART_COUNT);
	const parse = (text: string): Document.Parsed => {
		const parsed = parser(text);
		if (parsed === 'too many parts') {
			throw new Unreadable('The block has too many parts to be read; shorten it or quote values.');
		}

		if (parsed.next !== undefined) {
			throw new Unreadable('To YAML, a line "---" or "..." ends the block; quote it.');
		}

		return parsed.document;
	};

	const strict = parse(body);
	const lenient = withQuotedValues(body, strict.errors);
	const document = lenient === body ? strict : parse(lenient);
	const error = document.errors[0];
	if (error?.code === 'RESOURCE_EXHAUSTION') {
		throw new Unreadable('The block is nested too deeply to be read.');
	}

	if (error !== undefined) {
		const line = lenient.slice(0, error.pos[0]).split('\n').length;
		throw new Unreadable(`Line ${line} of the block is not YAML: ${error.message}.`);
	}

	return document;
};

/**
Quotes the plain values in which the parser found a `: `.

The places come from the parser's errors: all other text, including block scalars and quoted strings, is unchanged. A value continues over the lines that are indented deeper than its key, as in YAML.
*/
const withQuotedValues = (body: string, errors: readonly YAMLError[]): string => {
	const parts: string[] = [];
	let done = 0;
	for (const {code, pos} of errors) {
		const at = pos[0];
		if (code === 'BLOCK_AS_IMPLICIT_KEY' && at >= done && !startsWithIndicator(body, at)) {
			const end = endOfValue(body, at);
			const lines = body.slice(at, end).split('\n');
			const value = lines.map(line => line.replace(/(?:^|\s)#.*$/, '').trim()).join(' ');
			parts.push(body.slice(done, at), JSON.stringify(value.trim()), '\n'.repeat(lines.length - 1));
			done = end;
		}
	}

	return parts.join('') + body.slice(done);
};

const startsWithIndicator = (body: string, at: number): boolean =>
	/[[\]{},#&*!|>'"%@`]/.test(body.charAt(at)) || /^[-?:]\s/.test(body.slice(at, at + 2));

const endOfValue = (body: string, at: number): number => {
	const lineStart = body.lastIndexOf('\n', at - 1) + 1;
	const column = /^(?: |- )*/.exec(body.slice(lineStart, at))?.[0].length ?? 0;
	let end = endOfLine(body, at);
	for (let next = end; next < body.length; ) {
		const from = next + 1;
		next = endOfLine(body, from);
		const line = body.slice(from, next);
		if (line.trim() !== '') {
			if (line.length - line.trimStart().length <= column) {
				break;
			}

			end = next;
		}
	}

	return end;
};

const endOfLine = (body: string, from: number): number => {
	const at = body.indexOf('\n', from);
	return at === -1 ? body.length : at;
};
