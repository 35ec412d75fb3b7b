import {expect, test} from 'vitest';
import {itemText} from '../../src/cli/item-text.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {accepted} from '../helpers/given.ts';
import {build, refuse, verify} from '../helpers/merging.ts';

test('a merge that was refused is shown with the way out', () => {
	const session = accepted(['AGT-001']);
	build(session);
	verify(session, true);
	session.decide('a-1', 'approve');
	refuse(session, 'dirty');
	const [item] = inbox(session.state());
	const {hint} = session.item('approval').refused ?? {hint: 'none'};
	expect(item === undefined ? '' : itemText(item, '/store')).toContain(`    Hint: ${hint}\n`);
});
