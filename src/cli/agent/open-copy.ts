import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, extname, join} from 'node:path';
import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlob} from '../../git/tree/blobs.ts';
import {entriesAt, submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {type ImageSize, imageSize, mostPixels} from '../../lib/image-size.ts';
import type {FilePlace} from '../../tui/model/view.ts';
import {editFile, mayHaveWindow, requireEditor} from '../edit-file.ts';
import {viewImage} from '../view-image.ts';

/**
Opens a copy of a file in one of the session's trees in the person's editor, or an image without a line in an image viewer; returns a sentence that says so.

A desktop chooses the program by name, so the agent's name for an image is not used.

@throws `Failure` as `editFile` and `viewImage` do, and if the tree has no such file.
*/
export const openCopy = async (
	store: Store,
	tree: string,
	{path, line}: FilePlace,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
	const entry = (await entriesAt(store, tree, [path])).get(path);
	if (entry === undefined || !isFile(entry.mode)) {
		throw new Failure('refused', `${path} is not a file there, so there is nothing to open.`);
	}

	const content = await readBlob(store, entry.oid);
	const image = line === undefined ? imageExtension(path, content) : undefined;
	const editor = image === undefined ? requireEditor(environment) : undefined;
	const folder = await mkdtemp(join(tmpdir(), 'delegate-copy-'));
	try {
		const file = join(folder, image === undefined ? basename(path) : `image${image}`);
		await writeFile(file, content, {mode: 0o400});
		await (image !== undefined
			? viewImage(file, environment)
			: editFile(file, environment, line)());
	} finally {
		// The editor's window may still read it.
		if (!mayHaveWindow(editor ?? '', environment)) {
			await rm(folder, {recursive: true, force: true});
		}
	}

	return `That was a copy of ${path}: changes to it are not kept.`;
};

/** Size in bytes from which on an image is not sent, as it is written at once. */
const tooManyBytes = 1024 * 1024;

/** Returns the PNG at a path of a tree; `undefined` for another format, a link, or an image too large for a terminal. */
export const readImage = async (
	store: Store,
	tree: string,
	path: string,
): Promise<Buffer | undefined> => {
	const entry = (await entriesAt(store, tree, [path])).get(path);
	const bytes = entry && isFile(entry.mode) && (await blobSizes(store, [entry.oid])).get(entry.oid);
	if (!entry || !bytes || bytes >= tooManyBytes) {
		return undefined;
	}

	const content = await readBlob(store, entry.oid);
	const {format, width = 0, height = 0} = imageSize(content) ?? {};
	return format === 'PNG' && width * height <= mostPixels ? content : undefined;
};

const isFile = (mode: string): boolean => mode !== symlinkMode && mode !== submoduleMode;

/** Returns the extension of an image whose name and content have the same format. */
const imageExtension = (path: string, content: Buffer): string | undefined => {
	const format = imageSize(content)?.format;
	const extension = extname(path).toLowerCase();
	return format !== undefined && extensions[format].includes(extension) ? extension : undefined;
};

const extensions: Readonly<Record<ImageSize['format'], readonly string[]>> = {
	PNG: ['.png'],
	GIF: ['.gif'],
	JPEG: ['.jpg', '.jpeg'],
	WebP: ['.webp'],
};
