import {isScalar, isSeq, type Node} from 'yaml';
import type {Schema} from '../definition.ts';
import {isBlank, OnlyExample, Unreadable} from './unreadable.ts';
import {type Entries, textOf} from './yaml.ts';

/** A type of field: its name in help, its reader, and its blank in a template. */
export type FieldType<Value> = {
	readonly type: string;
	/** Schema of the field in a tool. */
	readonly schema: Schema;
	/** Fields of each item, if items have fields. */
	readonly parts?: Fields;
	template(meaning: string): unknown;
	/** Reads an existing value; throws `Unreadable` with a sentence about the field `name`. */
	read(node: Node, name: string): Value;
};

/** A field of a block. A `defaulted` one is always in the signal, an `optional` one only if it was given. */
type Field<
	Value = unknown,
	Presence extends 'required' | 'optional' | 'defaulted' = 'required' | 'optional' | 'defaulted',
> = {
	readonly kind: FieldType<Value>;
	readonly presence: Presence;
	readonly meaning: string;
	readonly fallback?: Value;
};

export type Fields = Readonly<Record<string, Field>>;

type OptionalName<F extends Fields> = {
	[Name in keyof F]: F[Name]['presence'] extends 'optional' ? Name : never;
}[keyof F];

type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** Type of the values of fields, so that the list of fields also defines the signal's type. */
export type Values<F extends Fields> = {
	readonly [Name in Exclude<keyof F, OptionalName<F>>]: ValueOf<F[Name]>;
} & {readonly [Name in OptionalName<F>]?: ValueOf<F[Name]>};

export const required = <Value>(
	kind: FieldType<Value>,
	meaning: string,
): Field<Value, 'required'> => ({
	kind,
	presence: 'required',
	meaning,
});

export const optional = <Value>(
	kind: FieldType<Value>,
	meaning: string,
): Field<Value, 'optional'> => ({
	kind,
	presence: 'optional',
	meaning,
});

export const defaulted = <Value>(
	kind: FieldType<Value>,
	fallback: Value,
	meaning: string,
): Field<Value, 'defaulted'> => ({kind, presence: 'defaulted', meaning, fallback});

/** Returns the schema of a tool with these fields. */
export const schemaOf = (fields: Fields): Schema => ({
	type: 'object',
	properties: Object.fromEntries(
		Object.entries(fields).map(([name, {kind, meaning}]) => [
			name,
			{...kind.schema, description: meaning},
		]),
	),
	required: Object.keys(fields).filter(name => fields[name]?.presence === 'required'),
});

/** Reads the fields; unknown names are ignored. */
export const readFields = <F extends Fields>(fields: F, entries: Entries): Values<F> => {
	const values = Object.entries(fields).flatMap(([name, field]) => {
		const value = readField(name, field, entries.get(name));
		return value === undefined ? [] : [[name, value] as const];
	});

	return Object.fromEntries(values) as Values<F>;
};

const readField = (name: string, field: Field, node: Node | undefined): unknown => {
	const isEmpty = node === undefined || (isScalar(node) && (textOf(node) ?? '') === '');
	if (field.presence === 'required' && (isEmpty || hasNoItem(node))) {
		throw new Unreadable(`The field ${name} is missing.`);
	}

	if (isEmpty) {
		return field.fallback;
	}

	if (field.presence === 'required' && isLeftBlank(node)) {
		throw new OnlyExample(`The field ${name} is not filled in.`);
	}

	return field.kind.read(node, name);
};

const hasNoItem = (node: Node): boolean => isSeq(node) && node.items.length === 0;

const isLeftBlank = (node: unknown): boolean =>
	isSeq(node) ? node.items.some(isLeftBlank) : isBlank(textOf(node) ?? '');
