import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {finishUndo} from '../../../src/supervisor/supervise.ts';
import {makeStore} from '../../git/world.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('the damaged journal of an earlier session keeps nobody from starting, and is logged', async () => {
	const {repository, store} = await makeStore({'a.txt': 'a\n'});
	const folder = repositoryFolder(temporaryFolder(), repository.id);
	const {journal} = folder.session('DEL-1');
	mkdirSync(journal, {recursive: true});
	writeFileSync(join(journal, '000001.ndjson'), 'not\na\njournal\n');
	const logged: string[] = [];
	await finishUndo({
		...{
			repository,
			store,
			folder,
			version: '0',
			program: [],
			containment: groupsContainment('a test'),
		},
		log: message => logged.push(message),
		requireLock: () => {},
	});
	expect(logged).toEqual([expect.stringContaining(journal)]);
});
