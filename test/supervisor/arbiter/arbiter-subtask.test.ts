import {expect, test} from 'vitest';
import {arbiterSubtask} from '../../../src/supervisor/merging/gather.ts';
import {accepted} from '../../helpers/given.ts';
import {collide} from '../../helpers/merging.ts';
import {subtask} from '../../helpers/plan.ts';

test('who settles a conflict gets nothing that was set for the agent it is modelled on', () => {
	const mcpServers = [{name: 'docs', command: ['docs-mcp'], env: []}];
	const own = subtask('AGT-001', {mode: 'bold', mcpServers, images: ['a.png']});
	const session = accepted([own, subtask('AGT-002')]);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	const item = session.state().items.find(({kind}) => kind === 'conflict');
	if (item?.kind !== 'conflict') {
		throw new Error('Nothing collides.');
	}

	const made = arbiterSubtask(session.state(), item, {as: 'AGT-002'});
	expect(made).toMatchObject({scope: {allowed: ['a.txt']}});
	for (const option of ['mode', 'mcpServers', 'images']) {
		expect(made).not.toHaveProperty(option);
	}
});
