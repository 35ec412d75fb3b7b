import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import type {Store} from '../../git/store/store.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {entriesAt, submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {imageSize} from '../../lib/image-size.ts';
import type {FileLine} from '../../tui/model/view.ts';
import {editFile, mayHaveWindow, requireEditor} from '../edit-file.ts';
import {viewImage} from '../view-image.ts';

/**
Opens a copy of a file, as a tree of the session's holds it, in the person's editor, or of an image in what shows images; returns in a sentence that it was one.

@throws `Failure` as `editFile` and `viewImage` do, and where the tree holds no such file
*/
export const openCopy = async (
	store: Store,
	tree: string,
	{path, line}: FileLine,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
	const entry = (await entriesAt(store, tree, [path])).get(path);
	if (entry === undefined || !isFile(entry.mode)) {
		throw new Failure('refused', `${path} is not a file there, so there is nothing to open.`);
	}

	const content = await readBlob(store, entry.oid);
	const editor = imageSize(content) === undefined ? requireEditor(environment) : undefined;
	const folder = await mkdtemp(join(tmpdir(), 'delegate-copy-'));
	try {
		const file = join(folder, basename(path));
		await writeFile(file, content, {mode: 0o400});
		await (editor === undefined
			? viewImage(file, environment)
			: editFile(file, environment, line)());
	} finally {
		// A window may still read it.
		if (!mayHaveWindow(editor ?? '', environment)) {
			await rm(folder, {recursive: true, force: true});
		}
	}

	return `That was a copy of ${path}: changes to it are not kept.`;
};

const isFile = (mode: string): boolean => mode !== symlinkMode && mode !== submoduleMode;
