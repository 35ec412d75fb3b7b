import {readFile} from 'node:fs/promises';
import {z} from 'zod';
import {writeAtomically} from '../lib/files/write-atomically.ts';
import {readJson} from '../lib/text/json.ts';
import type {SeenWork} from '../tui/model/view.ts';

/** Record of the work of a session that a person has seen, in the session's folder, for the next start of the screen. */
export type SeenFile = {
	readonly seen: SeenWork;
	readonly keep: (seen: SeenWork) => void;
	/** Resolves when all of it is written. */
	readonly written: () => Promise<void>;
};

/** Opens that file; errors are ignored, since it decides nothing. */
export const openSeenFile = async (path: string): Promise<SeenFile> => {
	const text = await readFile(path, 'utf8').catch(() => '');
	const {looks, read} = content.safeParse(readJson(text)).data ?? {looks: [], read: []};
	let writing = Promise.resolve();
	return {
		seen: {
			lookedAt: Object.fromEntries(looks.map(([agent, now]) => [agent, {now}])),
			read: new Map(read.map(([path, lines]) => [path, new Set(lines)])),
		},
		keep: seen => {
			writing = writing
				.then(() => writeAtomically(path, textOf(seen), {mode: 0o600}))
				.catch(() => {});
		},
		written: () => writing,
	};
};

/** Pairs instead of an object, since an agent chooses the file names, and `__proto__` is one. */
const content = z.object({
	looks: z.array(z.tuple([z.string(), z.number()])),
	read: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/** Maximum number of characters of the stored lines; a file that doesn't fit beside those seen later is dropped. */
const mostCharacters = 4 * 1024 * 1024;

const textOf = ({lookedAt, read}: SeenWork): string => {
	let left = mostCharacters;
	const recent = [...read].toReversed().filter(([, lines]) => {
		const length = [...lines].reduce((sum, line) => sum + line.length, 0);
		const fits = length <= left;
		left -= fits ? length : 0;
		return fits;
	});
	return JSON.stringify({
		looks: Object.entries(lookedAt).map(([agent, {now}]) => [agent, now]),
		read: recent.toReversed().map(([path, lines]) => [path, [...lines]]),
	} satisfies z.infer<typeof content>);
};
