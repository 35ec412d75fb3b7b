import {expect, test} from 'vitest';
import {unwritableHint} from '../../../src/git/target/obstacles.ts';

const hintFor = (stderr: string) => unwritableHint({code: 128, stdout: Buffer.alloc(0), stderr});

test('who may not write in the repository is sent to its owner, and on a read-only disk to how it is mounted', () => {
	expect(
		hintFor(
			'error: insufficient permission for adding an object to repository database .git/objects\n',
		),
	).toContain('whose .git/objects');
	expect(
		hintFor("fatal: Unable to create '/r/.git/refs/heads/main.lock': Permission denied\n"),
	).toContain('whose .git/objects');
	expect(hintFor('error: unable to create temporary file: Read-only file system\n')).toContain(
		'mounted read-only',
	);
	expect(hintFor('error: object 12 is corrupt\n')).toBeUndefined();
});
