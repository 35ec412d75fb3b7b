import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {execa} from 'execa';
import type {Client, Deed, Leave} from './client.ts';

/** Where a deed is done, and under which name it is told. */
export type Place = {readonly directory: string; readonly id: string; readonly client: Client};

type File = {readonly path: string; readonly text: string};

/** Writes a file, if it may. */
export const write = (place: Place, {path, text}: File): Promise<Leave> =>
	replaceText(place, `Write ${path}`, path, () => text);

/** Replaces a text in a file, if it may; a text that is replaced already stays as it is. */
export const edit = (
	place: Place,
	{path, find, replace}: {readonly path: string; readonly find: string; readonly replace: string},
): Promise<Leave> =>
	replaceText(place, `Edit ${path}`, path, old => (old ?? '').replace(find, () => replace));

/** Writes a file without a word to anybody, as a shell command could. */
export const sneak = async ({directory}: Place, {path, text}: File): Promise<void> =>
	put(resolve(directory, path), text);

/** Runs a shell command, if it may. */
export const run = async (place: Place, command: string): Promise<Leave> => {
	const {client, directory} = place;
	const deed: Deed = {id: place.id, title: command, kind: 'execute', input: {command}};
	return carryOut(client, deed, async () => {
		const {failed} = await execa({
			cwd: directory,
			shell: '/bin/sh',
			reject: false,
			stdin: 'ignore',
		})`${command}`;
		return !failed;
	});
};

const replaceText = async (
	{client, directory, id}: Place,
	title: string,
	path: string,
	change: (old: string | null) => string,
): Promise<Leave> => {
	const absolute = resolve(directory, path);
	const oldText = await readFile(absolute, 'utf8').catch(() => null);
	const newText = change(oldText);
	const input = {file_path: absolute};
	const deed: Deed = {id, title, kind: 'edit', input, path: absolute, oldText, newText};
	return carryOut(client, deed, async () => {
		await put(absolute, newText);
		return true;
	});
};

const carryOut = async (
	client: Client,
	deed: Deed,
	act: () => Promise<boolean>,
): Promise<Leave> => {
	const leave = await client.askLeave(deed);
	if (leave !== 'allowed') {
		await client.mark(deed, 'failed');
		return leave;
	}

	await client.mark(deed, 'in_progress');
	await client.mark(deed, (await act()) ? 'completed' : 'failed');
	return leave;
};

const put = async (path: string, text: string): Promise<void> => {
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, text);
};
