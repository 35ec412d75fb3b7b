import {constants, type Stats} from 'node:fs';
import {open, readlink, stat} from 'node:fs/promises';
import {errorCode} from '../../lib/disk-failure.ts';
import {ifThere} from '../../lib/if-there.ts';
import {diskPath, entryOnDisk, isRefusal} from '../disk-path.ts';
import {type Content, openContent} from './open-content.ts';

/**
Returns what git reads at a path, through links as git does; nothing where there is nothing.

Pipes and devices are never opened: one could keep us waiting, or never end.
*/
export const contentAt = (folder: string, name: string): Promise<Content | undefined> =>
	unlessUnreadable(contentThrough(folder, name), ['unreadable']);

/** Returns the same of the entry itself: of a link only where it leads to. */
export const entryContentAt = (folder: string, name: string): Promise<Content | undefined> =>
	unlessUnreadable(contentOfEntry(folder, name), ['unreadable']);

/** Waits for a look; what we may not read, or what leads in a circle, is no reason against anything and comes to something else. */
export const unlessUnreadable = <Found, Instead>(
	look: Promise<Found>,
	instead: Instead,
): Promise<Found | Instead> =>
	look.catch((error: unknown) => {
		if (isRefusal(error) || errorCode(error) === 'ELOOP') {
			return instead;
		}

		throw error;
	});

const contentThrough = async (folder: string, name: string): Promise<Content | undefined> => {
	const entry = await ifThere(stat(diskPath(folder, name)));
	return entry && (await contentOf(folder, name, entry));
};

const contentOfEntry = async (folder: string, name: string): Promise<Content | undefined> => {
	const entry = await entryOnDisk(folder, name);
	return entry?.isSymbolicLink()
		? ['link', (await readlink(diskPath(folder, name), 'buffer')).toString('hex')]
		: entry && (await contentOf(folder, name, entry));
};

const contentOf = async (
	folder: string,
	name: string,
	entry: Stats,
): Promise<Content | undefined> => {
	if (!entry.isFile()) {
		return [entry.isDirectory() ? 'folder' : 'special'];
	}

	// What takes the file's place in this moment is not waited for either.
	const file = await ifThere(
		open(diskPath(folder, name), constants.O_RDONLY | constants.O_NONBLOCK),
	);
	try {
		return file && (await openContent(file));
	} finally {
		await file?.close();
	}
};
