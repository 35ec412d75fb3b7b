import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readRecording} from '../../../src/client/recording.ts';
import {keyText} from '../../../src/client/resources/resources.ts';
import {readShown, writeShown} from '../../../src/client/resources/shown.ts';
import {resourcesFor} from '../../../src/tui/controller.ts';
import {openAt, whenFirst} from '../../tui/a-screen.ts';

const resources = {
	'AGT-001@abc': {phase: 'ready', lines: ['+one'], total: 1},
	'c-1@abc': {
		phase: 'ready',
		lines: ['one, cut'],
		...{total: 1, cut: 1, remark: 'As it was kept.'},
		preview: {words: ['Nothing else is left to decide before the check.']},
	},
} as const;

test('what was shown is read as it was written', () => {
	const text = writeShown(resources);
	expect(readShown(`${text}nonsense\n`)).toEqual(resources);
});

test('a recording has what its screen asks for under the same keys as then', async () => {
	const folder = join(import.meta.dirname, '../../../fixtures/journals/check-fails');
	const {resources} = await readRecording(folder);
	const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
	const wanted = resourcesFor(screen.context()).map(keyText);
	expect(wanted.length).toBeGreaterThan(3);
	expect(wanted.filter(key => resources[key] === undefined)).toEqual([]);
});
