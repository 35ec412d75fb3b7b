/** Returns `a`, `a and b`, `a, b and c`; in place of `and` may stand `or`. */
export const enumerated = (words: readonly string[], link: 'and' | 'or' = 'and'): string =>
	words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;
