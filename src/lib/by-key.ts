/** Returns a value for each of these keys, made from the key. */
export const byKey = <Name extends string, Value>(
	names: readonly Name[],
	make: (name: Name) => Value,
): Readonly<Record<Name, Value>> =>
	Object.fromEntries(names.map(name => [name, make(name)])) as Record<Name, Value>;
