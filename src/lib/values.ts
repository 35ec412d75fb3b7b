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

/** Fields of a type, in which those that can be `undefined` may be missing. */
export type Defined<T> = {readonly [K in Exclude<keyof T, Optional<T>>]: T[K]} & {
	readonly [K in Optional<T>]?: Exclude<T[K], undefined>;
};

/** Normalizes spacing and case for comparison. */
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

/** Returns whether a value is an object or a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/** Returns the fields of a value; none if it isn't an object. */
export const asFields = (value: unknown): Readonly<Record<string, unknown>> =>
	isObject(value) ? value : {};

/** Returns an object without the named fields, or the object itself if it has none of them; distributes over unions. */
export const omit = <T extends object, K extends keyof T>(from: T, ...names: K[]): Without<T, K> =>
	(names.some(name => Object.hasOwn(from, name))
		? Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name as K)))
		: from) as Without<T, K>;

/** `Omit` alone would merge a union into one type, with only the fields that all its members have. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Returns whether a value from outside is of a type. */
export type Guard<T> = (value: unknown) => value is T;

/** Type that a guard checks. */
export type Guarded<G> = G extends Guard<infer T> ? T : never;

export const isString = (value: unknown): value is string => typeof value === 'string';

export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Returns a guard that also accepts `undefined`. */
export const orMissing =
	<T>(guard: Guard<T>): Guard<T | undefined> =>
	(value): value is T | undefined =>
		value === undefined || guard(value);

/** Returns a guard of lists whose items pass another one. */
export const itemsAre =
	<T>(guard: Guard<T>): Guard<readonly T[]> =>
	(value): value is readonly T[] =>
		Array.isArray(value) && value.every(guard);

/** Returns a guard of objects whose fields pass their guards; further fields are accepted. */
export const fieldsAre = <T extends object>(
	guards: {
		readonly [K in keyof T]: Guard<T[K]>;
	},
): Guard<Defined<T>> => {
	const named = Object.entries<Guard<unknown>>(guards);
	return (value): value is Defined<T> =>
		isObject(value) && named.every(([name, guard]) => guard(value[name]));
};

/** Returns a function that computes its result with the first call. */
export const once = <Value>(compute: () => Value): (() => Value) => {
	let known: {readonly value: Value} | undefined;
	return () => {
		known ??= {value: compute()};
		return known.value;
	};
};

/** Returns a function that caches its last result per object, for the same further arguments; the object must not change. An array method such as `map` would hand it an index as well. */
export const oncePer = <Key extends object, More extends readonly unknown[], Value>(
	compute: (key: Key, ...more: More) => Value,
): ((key: Key, ...more: More) => Value) => {
	const known = new WeakMap<Key, {readonly more: More; readonly value: Value}>();
	return (key, ...more) => {
		const before = known.get(key);
		if (before?.more.every((one, at) => Object.is(one, more[at]))) {
			return before.value;
		}

		const value = compute(key, ...more);
		known.set(key, {more, value});
		return value;
	};
};

/** Deletes the entries of a map that were added first, beyond a maximum number. */
export const dropOldest = (known: Map<unknown, unknown>, most: number): void => {
	for (const key of known.keys()) {
		if (known.size <= most) {
			return;
		}

		known.delete(key);
	}
};
