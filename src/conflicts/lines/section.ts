/**
Returns the function, class or heading that a line stands in, as it is written there; `undefined` where there is none.

It goes by indentation and knows no language: the section is the nearest line above that is less indented and neither closes something nor only branches. A line that begins a section itself is its own.
*/
export const sectionAt = (
	lines: readonly string[],
	line: number,
	path: string,
): string | undefined => {
	const above = lines.slice(0, line).toReversed();
	const found = isProse(path) ? above.find(text => heading.test(text)) : enclosing(above);
	return found === undefined ? undefined : trimmed(found);
};

const isProse = (path: string): boolean => /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);

const heading = /^(?:#{1,6}|={1,6}) \S/;

/** From the line itself upwards. */
const enclosing = ([own = '', ...above]: readonly string[]): string | undefined => {
	if (declaration.test(own)) {
		return own;
	}

	let limit = own.trim() === '' ? Number.POSITIVE_INFINITY : indentation(own);
	for (const text of above) {
		if (text.trim() === '' || closing.test(text)) {
			continue;
		}

		if (indentation(text) >= limit) {
			continue;
		}

		limit = indentation(text);
		if (!branching.test(text) && opens.test(text)) {
			return text;
		}

		if (limit === 0) {
			return undefined;
		}
	}

	return undefined;
};

/** A tab counts as much as two spaces; what matters is only more or less. */
export const indentation = (text: string): number =>
	(/^\s*/.exec(text)?.[0] ?? '').replaceAll('\t', '  ').length;

/** Words that begin something with a name in one of the usual languages. */
const declaration =
	/^\s*(?:export |default |public |private |protected |internal |static |abstract |final |async |override |pub(?:\([a-z]+\))? |unsafe )*(?:function\b|class |interface |struct |enum |trait |impl\b|def |fn |func |module |namespace |object |record |type \w+ (?:struct|interface))/;

/** The end of something, or the end of a list of parameters. */
const closing = /^\s*[)}\]>]|^\s*[{(]\s*$/;

const branching =
	/^\s*(?:\} )?(?:if|else|elif|elsif|for|foreach|while|until|switch|case|default|try|catch|except|finally|rescue|ensure|do|with|match|when|unless|loop|select|begin|return|throw|raise|yield|await)\b/;

/** Begins something that is indented below it; a section of an ini or TOML file, too. */
const opens = /[{(:[=>]\s*$|^\s*\[.*\]\s*$|[)\w]\s*$/;

const trimmed = (text: string): string =>
	text
		.trim()
		.replace(/\s*(?:[{(:[]|=>)\s*$/, '')
		.slice(0, longest);

const longest = 80;
