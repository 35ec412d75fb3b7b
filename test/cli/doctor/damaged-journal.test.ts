import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkSessions} from '../../../src/cli/doctor/sessions.ts';
import {findHere} from '../../../src/cli/here.ts';
import {groupsLayer} from '../../../src/lib/process-layer.ts';
import {makeProject} from '../../helpers/project.ts';
import {hermeticHome} from '../../helpers/repository.ts';

test('a session whose journal is damaged is told as a fault, with the place', async () => {
	hermeticHome();
	const here = await findHere(makeProject({'a.txt': 'a\n'}).root);
	const {journal} = here.folder.session('DEL-1');
	mkdirSync(journal, {recursive: true});
	writeFileSync(join(journal, '000001.ndjson'), 'not\na\njournal\n');
	const layer = groupsLayer('for a test');
	expect(await checkSessions({here, environment: {}, layer})).toContainEqual(
		expect.objectContaining({
			level: 'bad',
			text: expect.stringContaining('000001.ndjson is damaged in line 1'),
		}),
	);
});
