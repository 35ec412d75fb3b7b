/**
Returns what identifies the small change that a patch of one file makes, wherever it makes it; `undefined` where it is not small, or can't be compared.

Two files change in the same way if the same words are replaced by the same words, the same lines go, and the same lines come behind the same line or at the top. Whether a word means the same in both is not compared.

@param patch Of one file, with its header.
*/
export const changeIn = (patch: string): string | undefined => {
	// Bytes that are no text look alike once they are read as text.
	if (patch.includes('\uFFFD')) {
		return;
	}

	const edits = new Set<string>();
	let before = '';
	let removed: string[] = [];
	let added: string[] = [];
	let isEverywhere = false;
	const close = (): void => {
		// Behind a line such as `}` the same lines may mean anything.
		isEverywhere ||= removed.length === 0 && added.length > 0 && !/\w|\0/.test(before);
		for (const edit of editsIn(removed, added, before)) {
			edits.add(edit);
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
			before = sign === '@' ? (/^@ -[01](?:,\d+)? /.test(text) ? top : line) : text;
			if (sign === '-') {
				removed.push(text);
			} else if (sign === '\\') {
				edits.add(line);
			}
		}

		if (edits.size > mostEdits || removed.length + added.length > mostLines) {
			return;
		}
	}

	close();
	return isEverywhere || edits.size === 0 || edits.size > mostEdits
		? undefined
		: [...edits].sort().join('\n');
};

/** A change with more edits, or with more lines at one place, is one to be read by itself. */
const mostEdits = 12;
const mostLines = 40;

/** Stands before the first line of a file. */
const top = '\0';

const editsIn = (
	removed: readonly string[],
	added: readonly string[],
	before: string,
): readonly string[] => {
	if (removed.length === 0 && added.length === 0) {
		return [];
	}

	const lines = removed.map((line, index) => wordsReplaced(line, added[index] ?? ''));
	return removed.length === added.length && lines.every(edits => edits !== undefined)
		? lines.flatMap(edits => edits ?? [])
		: [JSON.stringify([removed, added, removed.length === 0 ? before : ''])];
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
	return edits.length > 0 && edits.every(({word, other}) => isWord.test(word) && isWord.test(other))
		? edits.map(({word, other}) => JSON.stringify([word, other]))
		: undefined;
};

const isWord = /^[\p{L}_$]/u;
