/** How deep and how far the input of a tool is looked through for paths. */
const maximumDepth = 4;
const maximumPaths = 1000;

/** Names under which agents hand a path to a tool: `file_path`, `filePath`, `paths`, `parentDir`, `workdir`, `destination`. */
const pathName =
	/(?:^|_|[a-z](?=[A-Z]))(?:paths?|files?|file_?names?|(?:work)?dir|cwd|director(?:y|ies)|source|destination)$/i;

/** Below these names the keys themselves are paths. */
const mapName = /^changes$/i;

/**
Returns every path that the input of a tool names.

Each agent has its own words for it; a path too many only means that a person is asked or a write is refused.
*/
export const inputPaths = (input: unknown): readonly string[] => {
	const found: string[] = [];
	collect(input, {depth: 0, isPath: false, isMap: false}, found);
	return found;
};

type Position = {readonly depth: number; readonly isPath: boolean; readonly isMap: boolean};

const collect = (value: unknown, position: Position, found: string[]): void => {
	if (found.length >= maximumPaths) {
		return;
	}

	if (typeof value === 'string') {
		if (position.isPath && isLikePath(value)) {
			found.push(value);
		}

		return;
	}

	if (typeof value !== 'object' || value === null || position.depth >= maximumDepth) {
		return;
	}

	const depth = position.depth + 1;
	if (Array.isArray(value)) {
		value.forEach(entry => {
			collect(entry, {...position, isMap: false, depth}, found);
		});
		return;
	}

	for (const [name, entry] of Object.entries(value)) {
		if (position.isMap && isLikePath(name)) {
			found.push(name);
		}

		collect(entry, {depth, isPath: pathName.test(name), isMap: mapName.test(name)}, found);
	}
};

const isLikePath = (text: string): boolean =>
	text !== '' && text.length <= 4096 && !/[\0\n\r]/.test(text);
