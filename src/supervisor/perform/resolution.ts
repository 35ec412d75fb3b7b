import {lstat, mkdir, readdir, readFile, readlink, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import type {Body} from '../../events/event.ts';
import {readBlob, writeBlob} from '../../git/blobs.ts';
import {conflictText, hasMarkers} from '../../git/conflict-text.ts';
import {Failure} from '../../lib/failure.ts';
import type {Seen} from '../../rules/command.ts';
import type {ItemOf} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {isThere} from '../folder.ts';
import type {World} from '../world.ts';

/**
Makes the folder in which a person resolves a conflict by hand.

It holds the conflicted file with diff3 markers (`files/`), and each side's whole version beside it (`base/`, and one folder named after each side), for what markers can't show.
*/
export const openResolution = async (
	world: World,
	state: State,
	id: string,
): Promise<readonly Body[]> => {
	const item = itemOf(state, id);
	if (item?.kind !== 'conflict') {
		return [];
	}

	const folder = world.folder.resolution(id);
	// Work that a person has begun in it is never written over.
	if (!(await isThere(folder))) {
		const making = `${folder}.making`;
		await rm(making, {recursive: true, force: true});
		await fill(world, making, item);
		await rename(making, folder);
	}

	return [{kind: 'resolution.opened', conflict: id, folder}];
};

const fill = async (world: World, folder: string, item: ItemOf<'conflict'>): Promise<void> => {
	const [a, b] = [item.a.join('+'), item.b.join('+')];
	const {base, a: ours, b: theirs} = item.stages;
	const text = await conflictText(world.store, {
		...(base === null ? {} : {base}),
		...(ours === null ? {} : {ours}),
		...(theirs === null ? {} : {theirs}),
		labels: {ours: a, base: 'before', theirs: b},
	});
	const sides = [
		['base', base],
		[a, ours],
		[b, theirs],
	] as const;
	for (const [name, entry] of sides) {
		if (entry !== null) {
			await place(join(folder, name), item.path, await readBlob(world.store, entry.oid));
		}
	}

	const whole = ours ?? theirs;
	if (text.kind === 'text') {
		await place(join(folder, 'files'), item.path, text.text);
	} else if (whole !== null) {
		await place(join(folder, 'files'), item.path, await readBlob(world.store, whole.oid));
	}
};

const place = async (folder: string, path: string, content: Uint8Array): Promise<void> => {
	const file = join(folder, path);
	if (relative(folder, file).startsWith('..')) {
		throw new Failure('refused', `${path} is not a path inside the repository.`);
	}

	await mkdir(dirname(file), {recursive: true});
	await writeFile(file, content);
};

/**
Returns what the resolution folder of a conflict holds, written into the store, and which of it still has markers.

A conflicted file that is not in the folder any more was deleted.
*/
export const seeResolution = async (world: World, item: ItemOf<'conflict'>): Promise<Seen> => {
	if (item.manual.phase !== 'open') {
		return {};
	}

	const folder = join(item.manual.folder, 'files');
	const mode = (item.stages.a ?? item.stages.b)?.mode ?? '100644';
	const marked: string[] = [];
	const files: {path: string; entry: {mode: string; oid: string} | null}[] = [];
	for (const path of await filesBelow(folder)) {
		const file = join(folder, path);
		const status = await lstat(file);
		const content = status.isSymbolicLink()
			? Buffer.from(await readlink(file))
			: await readFile(file);
		if (hasMarkers(content)) {
			marked.push(path);
		}

		const oid = await writeBlob(world.store, content);
		const ownMode = status.isSymbolicLink() ? '120000' : status.mode & 0o100 ? '100755' : '100644';
		files.push({path, entry: {mode: path === item.path ? mode : ownMode, oid}});
	}

	return {
		marked,
		files: files.some(({path}) => path === item.path)
			? files
			: [...files, {path: item.path, entry: null}],
	};
};

const filesBelow = async (folder: string): Promise<readonly string[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => []);
	return entries
		.filter(entry => !entry.isDirectory())
		.map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
};
