import {readFile} from 'node:fs/promises';
import {z} from 'zod';
import {writeAtomically} from '../lib/files/write-atomically.ts';
import {readJson} from '../lib/text/json.ts';
import type {SeenWork} from '../tui/model/view.ts';

/** What a person has seen of a session, kept in its folder for the next time that they open the screen. */
export type SeenFile = {
	readonly seen: SeenWork;
	readonly keep: (seen: SeenWork) => void;
	/** Settles when all of it is written. */
	readonly written: () => Promise<void>;
};

/** Opens that file; what can't be read or written is ignored, since it decides nothing. */
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

/** Pairs, since an agent chooses the names of files, and `__proto__` is one. */
const content = z.object({
	looks: z.array(z.tuple([z.string(), z.number()])),
	read: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/** Most characters of lines that are kept; the files that were first looked at long ago give way. */
const mostCharacters = 4 * 1024 * 1024;

const textOf = ({lookedAt, read}: SeenWork): string => {
	let left = mostCharacters;
	const recent = [...read].toReversed().filter(([, lines]) => {
		left -= [...lines].reduce((sum, line) => sum + line.length, 0);
		return left >= 0;
	});
	return JSON.stringify({
		looks: Object.entries(lookedAt).map(([agent, {now}]) => [agent, now]),
		read: recent.toReversed().map(([path, lines]) => [path, [...lines]]),
	} satisfies z.infer<typeof content>);
};
