export const byKey = <Name extends string, Value>(
	names: readonly Name[],
	make: (name: Name) => Value,
): Readonly<Record<Name, Value>> =>
	Object.fromEntries(names.map(name => [name, make(name)])) as Record<Name, Value>;

/** Drops fields that are `undefined`. */
export const defined = <T extends object>(fields: T): Defined<T> =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as Defined<T>;

type Optional<T> = {[K in keyof T]-?: undefined extends T[K] ? K : never}[keyof T];

/** The fields, of which those that can be `undefined` may be missing. */
export type Defined<T> = {readonly [K in Exclude<keyof T, Optional<T>>]: T[K]} & {
	readonly [K in Optional<T>]?: Exclude<T[K], undefined>;
};

/** Folds spacing and case for comparison. */
export const folded = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns whether two values of plain data are deeply equal. */
export const isSame = (one: unknown, other: unknown): boolean => {
	if (Object.is(one, other)) {
		return true;
	}

	if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
		return false;
	}

	const keys = Object.keys(one);
	return (
		keys.length === Object.keys(other).length &&
		keys.every(key => Object.hasOwn(other, key) && isSame(one[key], other[key]))
	);
};

/** Returns whether a value has fields; a list has, too. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/** Returns the fields of a value; none of one that has none. */
export const asFields = (value: unknown): Readonly<Record<string, unknown>> =>
	isObject(value) ? value : {};

/** Returns the fields but those that are named, and itself where it has none of them; a value that may be of several types still may. */
export const omit = <T extends object, K extends keyof T>(from: T, ...names: K[]): Without<T, K> =>
	(names.some(name => Object.hasOwn(from, name))
		? Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name as K)))
		: from) as Without<T, K>;

/** `Omit` alone makes one type of a union, with only the fields that all its members have. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Tells whether a value from outside is of a type. */
export type Guard<T> = (value: unknown) => value is T;

/** The type that a guard tells. */
export type Guarded<G> = G extends Guard<infer T> ? T : never;

export const isString = (value: unknown): value is string => typeof value === 'string';

export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Returns a guard of what may be left out. */
export const orMissing =
	<T>(guard: Guard<T>): Guard<T | undefined> =>
	(value): value is T | undefined =>
		value === undefined || guard(value);

/** Returns a guard of lists of what another one guards. */
export const itemsAre =
	<T>(guard: Guard<T>): Guard<readonly T[]> =>
	(value): value is readonly T[] =>
		Array.isArray(value) && value.every(guard);

/** Returns a guard of values that have these fields, each guarded by its own; others may stand beside them. */
export const fieldsAre = <T extends object>(
	guards: {
		readonly [K in keyof T]: Guard<T[K]>;
	},
): Guard<Defined<T>> => {
	const named = Object.entries<Guard<unknown>>(guards);
	return (value): value is Defined<T> =>
		isObject(value) && named.every(([name, guard]) => guard(value[name]));
};

/** Returns a function that computes something once for each object; what it is computed from must not change. */
export const oncePer = <Key extends object, Value>(
	compute: (key: Key) => Value,
): ((key: Key) => Value) => {
	const known = new WeakMap<Key, {readonly value: Value}>();
	return key => {
		const {value} = known.get(key) ?? {value: compute(key)};
		known.set(key, {value});
		return value;
	};
};
