import type {Document, YAMLMap} from 'yaml';

/** Writes a value at a place of a document, lists on one line where they can be; takes the place out for what says nothing. Does nothing to what has not changed. */
export const writePart = (
	document: Document,
	map: YAMLMap,
	path: readonly [string, ...string[]],
	hasChanged: boolean,
	value: PartValue,
): void => {
	if (!hasChanged) {
		return;
	}

	if (isNothing(value)) {
		if (map.hasIn(path)) {
			map.deleteIn(path);
		}

		return;
	}

	const flow = !(Array.isArray(value) && value.some(isOfSeveralLines));
	map.setIn(path, typeof value === 'object' ? document.createNode(value, {flow}) : value);
};

/** What can stand in a plan file. */
export type PartValue = string | number | readonly unknown[] | Readonly<Record<string, unknown>>;

const isNothing = (value: PartValue): boolean =>
	typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

const isOfSeveralLines = (entry: unknown): boolean =>
	typeof entry === 'string' && entry.includes('\n');
