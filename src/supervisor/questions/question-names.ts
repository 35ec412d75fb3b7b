import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/if-there.ts';
import {broughtOutName, outerName} from '../../state/outer-name.ts';
import {fileOf, type Room} from './room.ts';

/** One that we wrote, also if its question has another file by now. */
export const isOurs = (room: Room, name: string): boolean =>
	room.records().some(({agent, item}) => name === outerName(room.session, agent, item));

/** Returns what a file of an agent's own is called among those of all: as its agent calls it, unless something else is called so or may be, in this session or in another one. */
export const nameOutside = async (room: Room, agent: string, name: string): Promise<string> => {
	const isTaken =
		name.includes('DEL-') ||
		room
			.records()
			.some(record => record.agent !== agent && [record.id, fileOf(record)].includes(name)) ||
		(await ifThere(lstat(join(room.home.pending, `${name}.json`)))) !== undefined;
	return isTaken ? broughtOutName(room.session, agent, name) : name;
};

/** Returns what a file of an agent's own says, without what would make it another session's. */
export const withoutClaims = (
	session: string,
	fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([key, value]) => !claims.has(key) || sessionsIn(value).every(id => id === session),
		),
	);

const claims: ReadonlySet<string> = new Set(['workflow_id', 'checkpoint', 'directory', 'cwd']);

const sessionsIn = (value: unknown): readonly string[] =>
	typeof value === 'string' ? (value.match(/DEL-[A-Za-z0-9]+/g) ?? []) : [];
