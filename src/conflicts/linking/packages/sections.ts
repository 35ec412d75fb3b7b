/** A line of a file in sections, with the `[head]` above it. */
export type SectionLine = {readonly section: string; readonly text: string; readonly line: number};

/** Returns the lines of a file in sections, as TOML has them, without comments and heads. */
export const sectionLines = (lines: readonly string[]): readonly SectionLine[] => {
	const read: SectionLine[] = [];
	let section = '';
	for (const [position, whole] of lines.entries()) {
		const text = whole.replace(/(?:^|\s)#.*$/, '').trim();
		const head = /^\[+([^\]]+)\]+$/.exec(text)?.[1];
		section = head?.trim() ?? section;
		// The head counts as well: some stand for a package.
		read.push({section, text: head === undefined ? text : '', line: position + 1});
	}

	return read;
};

/** Returns the key of a line such as `serde = "1"` or `serde.workspace = true`, and what stands behind it. */
export const keyOfLine = (text: string): {key: string; value: string} | undefined => {
	const {key, value} = /^"?(?<key>[\w-]+)"?(?:\.\w+)?\s*=\s*(?<value>.*)$/.exec(text)?.groups ?? {};
	return key === undefined || value === undefined ? undefined : {key, value};
};
