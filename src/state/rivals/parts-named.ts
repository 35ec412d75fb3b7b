import type {TakenFile} from '../../events/event.ts';
import {globsIn} from '../items/globs.ts';

/** What of a rival's work is named. */
export type NamedPart = {readonly agent: string; readonly globs: readonly string[]};

/** Returns what a note names of works, that of the rival first that a choice is about: `src/a.ts AGT-003:src/b/**`. */
export const partsNamed = (rival: string, note: string): readonly NamedPart[] => {
	const parts = new Map<string, string[]>([[rival, []]]);
	for (const word of globsIn(note)) {
		const [, agent = rival, glob = word] = /^(AGT-\d+):(.*)$/.exec(word) ?? [];
		parts.set(agent, [...(parts.get(agent) ?? []), glob]);
	}

	return [...parts].map(([agent, globs]) => ({agent, globs}));
};

/** Returns the rivals of whose works parts are taken: named in a note, or picked. */
export const broughtBy = (
	rival: string,
	note = '',
	files: readonly TakenFile[] = [],
): readonly string[] => [
	...new Set([
		...partsNamed(rival, note).map(({agent}) => agent),
		...files.flatMap(({of = rival}) => of),
	]),
];
