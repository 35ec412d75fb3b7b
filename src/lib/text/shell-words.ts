/** A shell word in which each character is literal. */
const plainWord = /^(?:[\w./:=,@%+^-][\w./:=,@%+^~-]*|'[^'\n]*'|"[^"$`\\!\n]*")(?:[ \t]+|$)/;

/** Returns the words of a command in which a shell would expand, join or redirect nothing; `undefined` for any other command. */
export const plainShellWords = (command: string): readonly string[] | undefined => {
	const words: string[] = [];
	for (let rest = command.trim(); rest !== ''; ) {
		const [found] = plainWord.exec(rest) ?? [];
		if (found === undefined) {
			return undefined;
		}

		words.push(found.trim().replace(/^(['"])(.*)\1$/, '$2'));
		rest = rest.slice(found.length);
	}

	return words;
};

export const inShell = (word: string): string =>
	/^[\w:.,@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
