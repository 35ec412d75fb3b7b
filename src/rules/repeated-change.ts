/**
Returns an identifier of the small change that a patch of one file makes, independent of its place; `undefined` if it is not small, or can't be compared.

Two changes are the same if they replace the same words by the same words equally often, and add and remove the same lines after the same line or at the top. Whether a word has the same meaning in both is not compared.

@param patch Patch of one file, with its header.
*/
export const changeIn = (patch: string): string | undefined => {
	// Different invalid bytes look alike once they are decoded as text.
	if (patch.includes('\uFFFD')) {
		return;
	}

	const edits: string[] = [];
	let before = '';
	let removed: string[] = [];
	let added: string[] = [];
	let isEverywhere = false;
	const close = (): void => {
		const replaced = wordsReplacedIn(removed, added);
		if (replaced !== undefined) {
			edits.push(...replaced);
		} else if (removed.length + added.length > 0) {
			// After a line such as `}` the same lines may have any meaning.
			isEverywhere ||= !/\w|\0/.test(before);
			edits.push(JSON.stringify([removed, added, before]));
		}

		[removed, added] = [[], []];
	};
	const hunks = patch.indexOf('\n@@ ');
	for (const line of hunks === -1 ? [] : patch.slice(hunks + 1).split('\n')) {
		const [sign, text] = [line.charAt(0), line.slice(1)];
		if (sign === '-' && added.length === 0) {
			removed.push(text);
		} else if (sign === '+') {
			added.push(text);
		} else {
			close();
			if (sign === '-') {
				removed.push(text);
			} else if (sign === '\\') {
				edits.push(line);
			} else {
				before = sign === '@' ? (/^@ -[01](?:,\d+)? /.test(text) ? top : line) : text;
			}
		}

		if (edits.length > mostEdits || removed.length + added.length > mostLines) {
			return;
		}
	}

	close();
	return isEverywhere || edits.length === 0 || edits.length > mostEdits
		? undefined
		: edits.sort().join('\n');
};

/** Limits of edits, and of lines in one place, above which a change is not small. */
const mostEdits = 12;
const mostLines = 40;

/** Stands for the line before the first one of a file. */
const top = '\0';

/** Returns the words that were replaced, line by line; `undefined` if the lines differ in more than that. */
const wordsReplacedIn = (
	removed: readonly string[],
	added: readonly string[],
): readonly string[] | undefined => {
	const lines = removed.map((line, index) => wordsReplaced(line, added[index] ?? ''));
	return removed.length > 0 &&
		removed.length === added.length &&
		lines.every(edits => edits !== undefined)
		? lines.flat()
		: undefined;
};

/** Returns the words of a line that were replaced; `undefined` if the line differs in more than that. */
const wordsReplaced = (old: string, now: string): readonly string[] | undefined => {
	const [before, after] = [old, now].map(
		line => line.match(/[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]/gu) ?? [],
	);
	if (before === undefined || after?.length !== before.length) {
		return;
	}

	const edits = before.flatMap((word, index) => {
		const other = after[index] ?? '';
		return word === other ? [] : [{word, other}];
	});
	return edits.length > 0 && edits.every(({word, other}) => isName(word) && isName(other))
		? edits.map(({word, other}) => JSON.stringify([word, other]))
		: undefined;
};

/** Returns whether a word may be a name: another keyword or literal changes the meaning of the code around it. */
const isName = (word: string): boolean => /^[\p{L}_$]/u.test(word) && !keywords.test(word);

/** Keywords and literals of common languages. */
const keywords = new RegExp(
	`^(?:${[
		'true|false|yes|no|on|off|null|undefined|nil|none|void|nan|infinity|this|self|super',
		'and|or|not|xor|in|is|as|of|new|delete|typeof|instanceof|if|then|else|elif|elsif|unless',
		'switch|case|match|when|default|for|foreach|while|until|do|loop|break|continue|goto|pass',
		'return|yield|a(?:sync|wait)|go|defer|throw|throws|raise|try|catch|except|rescue|finally|ensure',
		'assert|with|using|import|export|from|const|let|var|mut|val|final|static|public|private',
		'protected|internal|readonly|unsafe|abstract|override|virtual|function|func|fn|def|class',
		'struct|enum|interface|trait|type|extends|implements',
	].join('|')})$`,
	'i',
);
