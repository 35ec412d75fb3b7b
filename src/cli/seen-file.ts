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
	let written = await readFile(path, 'utf8').catch(() => '');
	let others = seenIn('');
	const write = async (seen: SeenWork): Promise<void> => {
		const text = await readFile(path, 'utf8').catch(() => '');
		// Another screen of the session has written it meanwhile.
		others = text === written ? others : both(others, seenIn(text));
		written = textOf(both(others, seen));
		await writeAtomically(path, written, {mode: 0o600});
	};
	let writing = Promise.resolve();
	return {
		seen: seenIn(written),
		keep: seen => {
			writing = writing.then(async () => write(seen)).catch(() => {});
		},
		written: () => writing,
	};
};

const seenIn = (text: string): SeenWork => {
	const {looks, read} = content.safeParse(readJson(text)).data ?? {looks: [], read: []};
	return {
		lookedAt: Object.fromEntries(looks.map(([agent, now]) => [agent, {now}])),
		read: new Map(read.map(([path, lines]) => [path, new Set(lines)])),
	};
};

/** Returns the work seen on either of two screens, that of the second one last. */
const both = (one: SeenWork, other: SeenWork): SeenWork => ({
	lookedAt: Object.fromEntries(
		Object.entries({...one.lookedAt, ...other.lookedAt}).map(([agent, {now}]) => [
			agent,
			{now: Math.max(now, one.lookedAt[agent]?.now ?? 0)},
		]),
	),
	read: new Map([
		...[...one.read].filter(([path]) => !other.read.has(path)),
		...[...other.read].map(
			([path, lines]) => [path, new Set([...(one.read.get(path) ?? []), ...lines])] as const,
		),
	]),
});

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
