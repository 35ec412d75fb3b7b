import {expect, test} from 'vitest';
import {mostViolations} from '../../src/state/agent/agent.ts';
import {working} from '../helpers/given.ts';

test('of very many paths that were reverted all are counted, and so many listed that reading stays quick', () => {
	const session = working(['AGT-001']);
	const paths = Array.from({length: mostViolations + 10}, (_, index) => `node_modules/${index}.js`);
	const revert = {
		kind: 'scope.left',
		agent: 'AGT-001',
		change: 'added',
		why: 'it is not allowed',
		patch: 'AGT-001/aside/1.patch',
	} as const;
	for (const path of [...paths, paths[0] ?? '']) {
		session.tell({...revert, path});
	}

	const {violations: left, violationCounts: counts} = session.agent('AGT-001');
	expect(left.map(({path}) => path)).toEqual(paths.slice(0, mostViolations));
	expect(counts.reverted).toBe(paths.length + 1);
});
