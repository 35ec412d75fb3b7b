/** Returns `a`, `a and b`, `a, b and c`; in place of `and` may stand `or`. */
export const enumerated = (words: readonly string[], link: 'and' | 'or' = 'and'): string =>
	words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;

/** Returns the first of some names, and how many more there are: `a, b and 3 more`. */
export const firstOf = (names: readonly string[], most: number, count = names.length): string => {
	const told = names.slice(0, most);
	return `${told.join(', ')}${count > told.length ? ` and ${count - told.length} more` : ''}`;
};
