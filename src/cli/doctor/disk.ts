import {dirname} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';
import {bytesText} from '../../lib/text/bytes-text.ts';
import {diskLevel} from '../../rules/disk.ts';
import {stateFolder} from '../../supervisor/folder.ts';
import {freeSpace} from '../../supervisor/machine/health.ts';
import type {Check, Finding} from './check.ts';

/** Is there room for work, by the same measure by which a session’s programs are paused? */
export const checkDisk: Check = async ({environment, here}) => {
	const folders =
		here === undefined ? [stateFolder(environment)] : [here.folder.path, here.repository.root];
	return Promise.all(folders.map(findingFor));
};

/** A folder that is not made yet will lie on the disk of the one above it. */
const standing = async (folder: string): Promise<string> =>
	(await isThere(folder)) || dirname(folder) === folder ? folder : standing(dirname(folder));

const findingFor = async (folder: string): Promise<Finding> => {
	const space = await freeSpace(await standing(folder)).catch(() => undefined);
	if (space === undefined) {
		return {check: 'disk', level: 'warn', text: `the disk of ${folder} can’t be looked at`};
	}

	const text = `${bytesText(space.free)} of ${bytesText(space.total)} free on the disk of ${folder}`;
	const hint = 'make room; "delegate-tui doctor --clean" lists what is safe to remove';
	switch (diskLevel(space, 'enough')) {
		case 'enough':
			return {check: 'disk', level: 'good', text};
		case 'low':
			return {check: 'disk', level: 'warn', text, hint};
		case 'full':
			return {check: 'disk', level: 'bad', text: `${text}: agents and commands are paused`, hint};
	}
};
