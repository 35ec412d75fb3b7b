import {isAlias, isMap, isScalar, isSeq, type Node} from 'yaml';
import {Unreadable} from './unreadable.ts';
import {parseYaml} from './yaml-document.ts';

/** The fields of a mapping, in order. */
export type Entries = ReadonlyMap<string, Node>;

/**
Reads the body of a block: YAML, core schema, without aliases, anchors, tags or repeated keys, and with one leniency: a plain value may hold `: `, as in `details: Stopped: no disk`.

A body may also be a list of one-field items (`- details: …`), as agents write it. Callers cap the length first, as the time a parser takes is not for the agent to choose.
*/
export const readBody = (body: string): Entries => {
	const {contents} = parseYaml(body);
	if (contents === null) {
		throw new Unreadable('The block has no fields.');
	}

	refuse(contents);
	return isSeq(contents) ? entriesOfItems(contents.items) : entriesOf(contents);
};

/** Returns the fields of a node that must be a mapping. */
export const entriesOf = (node: unknown): Entries => {
	if (!isMap(node)) {
		throw new Unreadable('The block must hold fields, each written as "name: value".');
	}

	return new Map(node.items.map(pair => [keyOf(pair.key), nodeOf(pair.value)]));
};

/** Returns the items of a list; anything else is a list of itself. */
export const nodesOf = (node: Node): readonly Node[] =>
	isSeq(node) ? node.items.map(nodeOf) : [node];

/** Returns the text that was written for a scalar, so that `2.10` stays `2.10`; `undefined` for anything else, or nothing. */
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

/** Refuses what YAML allows and a signal has no use for; each would otherwise change or drop words unseen. */
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

/** `details: #12 fails` is an empty value and a comment to YAML, and a value to whoever wrote it. */
const refuseComment = (key: string, value: unknown): void => {
	if (isScalar(value) && value.value === null && value.comment) {
		throw new Unreadable(`The value of ${key} must be quoted, as it starts with "#".`);
	}
};

const entriesOfItems = (items: readonly unknown[]): Entries => {
	const entries = items.flatMap(item => [...entriesOf(item)]);
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
