import {expect, test} from 'vitest';
import {mostViolations} from '../../src/state/agent/agent.ts';
import {working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';

test('of very many paths that were reverted all are counted, and so many listed that reading stays quick', () => {
	const session = working(['AGT-001']);
	const paths = Array.from({length: mostViolations + 10}, (_, index) => `node_modules/${index}.js`);
	for (const path of [...paths, paths[0] ?? '']) {
		session.tell(scopeLeft(path));
	}

	const {violations: left, violationCounts: counts} = session.agent('AGT-001');
	expect(left.map(({path}) => path)).toEqual(paths.slice(0, mostViolations));
	expect(counts.reverted).toBe(paths.length + 1);
});
