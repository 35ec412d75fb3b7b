/**
Returns what identifies the small change that a patch of one file makes, wherever it makes it; `undefined` where it is not small, or can't be compared.

Two files change in the same way if the same words are replaced by the same words as often, and the same lines go and come behind the same line or at the top. Whether a word means the same in both is not compared.

@param patch Of one file, with its header.
*/
export const changeIn = (patch: string): string | undefined => {
	// Bytes that are no text look alike once they are read as text.
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
			// Behind a line such as `}` the same lines may mean anything.
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

/** A change with more edits, or with more lines at one place, is one to be read by itself. */
const mostEdits = 12;
const mostLines = 40;

/** Stands before the first line of a file. */
const top = '\0';

/** Returns which words others took the place of, line by line; `undefined` where more than that differs. */
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

/** Returns which words of a line others took the place of; `undefined` where more than that differs. */
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

/** Whether a word may be a name: another keyword or literal changes what the code around it does. */
const isName = (word: string): boolean => /^[\p{L}_$]/u.test(word) && !keywords.test(word);

/** Of common languages. */
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
