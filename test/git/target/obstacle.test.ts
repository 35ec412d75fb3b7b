import {mkdirSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {strangersAt} from '../../../src/git/target/obstacles.ts';
import {diskPath} from '../../../src/git/tree/disk-path.ts';
import {decodePath} from '../../../src/lib/text/byte-path.ts';
import {makeRepository, write} from '../../helpers/repository.ts';

test('what git doesn’t track at a path is named: the file, or what is new below the folder', async () => {
	const root = makeRepository({'src/a.txt': 'a\n'});
	write(root, {'src/new.txt': 'new\n', 'file.txt': 'a file\n'});
	expect(await strangersAt(root, 'src')).toEqual(['src/new.txt']);
	expect(await strangersAt(root, 'file.txt')).toEqual(['file.txt']);
	expect(await strangersAt(root, 'nothing')).toEqual([]);
});

test('a folder whose name is no text can’t be looked into by git, so all of it is named', async () => {
	const root = makeRepository();
	const folder = decodePath(Buffer.from([0x6f, 0xff]));
	mkdirSync(diskPath(root, folder));
	writeFileSync(diskPath(root, `${folder}/new.txt`), 'new\n');
	expect(await strangersAt(root, folder)).toEqual([folder]);
});
