/**
Takes a line apart at its spaces, as shells do with quotes and without anything else: what stands in `'…'` or `"…"` stands for itself, and so does a backslash.

A quote that is not closed reaches to the end.
*/
export const splitWords = (line: string): readonly string[] =>
	[...line.matchAll(word)].map(([text]) =>
		text.replaceAll(quoted, (_, single?: string, double?: string) => single ?? double ?? ''),
	);

const word = /(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|[^\s'"])+/g;
const quoted = /'([^']*)(?:'|$)|"([^"]*)(?:"|$)/g;

/** Tells whether a line ends inside a quote. */
export const isQuoteOpen = (line: string): boolean =>
	/['"]/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, ''));

/** Writes words as the line that `splitWords` takes apart into them. */
export const joinWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (text: string): string => {
	if (text !== '' && !/[\s'"]/.test(text)) {
		return text;
	}

	return text.includes("'")
		? text
				.split(/('+)/)
				.filter(part => part !== '')
				.map(part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
				.join('')
		: `'${text}'`;
};
