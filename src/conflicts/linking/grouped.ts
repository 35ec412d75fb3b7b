/** Returns things by what they have in common, in the order in which they came. */
export const grouped = <Thing>(
	things: Iterable<Thing>,
	key: (thing: Thing) => string,
): ReadonlyMap<string, readonly Thing[]> => {
	const groups = new Map<string, Thing[]>();
	for (const thing of things) {
		const group = groups.get(key(thing)) ?? [];
		group.push(thing);
		groups.set(key(thing), group);
	}

	return groups;
};
