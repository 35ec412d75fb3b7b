import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {AgentFolder, SessionFolder} from '../../supervisor/folder.ts';

/** Returns the number of the snapshot up to which a person has looked at an agent's work; nothing where they never did. */
export const readLook = async ({looked}: AgentFolder): Promise<number | undefined> => {
	const text = await readFile(looked, 'utf8').catch(() => '');
	return /^[1-9]\d{0,8}\n$/.test(text) ? Number(text) : undefined;
};

/** Returns that of each of these agents. */
export const readLooks = async (
	folder: SessionFolder,
	agents: readonly {readonly id: string}[],
): Promise<Readonly<Record<string, number>>> => {
	const looks = await Promise.all(
		agents.map(async ({id}) => [id, await readLook(folder.agent(id))] as const),
	);
	return Object.fromEntries(
		looks.flatMap(([id, look]) => (look === undefined ? [] : [[id, look]])),
	);
};

/** Keeps how far a person has looked. Ignores write errors: the mark is a convenience and decides nothing. */
export const keepLook = async ({looked}: AgentFolder, snapshot: number): Promise<void> => {
	const making = `${looked}.${process.pid}`;
	try {
		await mkdir(dirname(looked), {recursive: true});
		await writeFile(making, `${snapshot}\n`);
		await rename(making, looked);
	} catch {}
};
