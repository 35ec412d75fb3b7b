import {expect, it} from 'vitest';
import {showRecorded} from '../../../src/supervisor/show/show-recorded.ts';
import {accepted} from '../../helpers/given.ts';
import {collide} from '../../helpers/merging.ts';

it('a folder that a person resolved a conflict in is not shown as it was, since it may have changed', async () => {
	const session = accepted(['AGT-001', 'AGT-002']);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	session.decide('c-1', 'manual');
	session.tell({kind: 'resolution.opened', conflict: 'c-1', folder: '/resolution'});
	const shown = (choice: string) =>
		showRecorded({session: 's-1', store: '/store'}, session.state(), {
			what: {of: 'outcome', item: 'c-1', choice},
			offset: 0,
			limit: 10,
		});
	await expect(shown('done')).rejects.toThrow('was not recorded');
	await expect(shown('choose-one:AGT-001')).rejects.toThrow('there is no /store');
});
