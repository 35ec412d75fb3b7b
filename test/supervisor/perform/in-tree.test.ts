import {expect, test} from 'vitest';
import {inTree} from '../../../src/supervisor/perform/start/launch-config.ts';

const tree = '/state/AGT-001/tree';

test('what a tool does is told from the worktree on, and whole where it leads out of it', () => {
	const told = inTree(tree, {
		kind: 'tool',
		id: 'call-1',
		title: `Edit ${tree}/src/a.js`,
		tool: 'edit',
		status: 'completed',
		paths: [`${tree}/src/a.js`, 'src/b.js', '/etc/passwd'],
		command: `cat ${tree}/src/a.js /etc/passwd`,
		diffs: [{path: `${tree}/src/a.js`, oldText: '', newText: 'a'}],
	});
	expect(told).toMatchObject({
		title: 'Edit src/a.js',
		paths: ['src/a.js', 'src/b.js', '/etc/passwd'],
		command: 'cat src/a.js /etc/passwd',
		diffs: [{path: 'src/a.js'}],
	});
});

test('what is no tool stays as it is', () => {
	const thought = {kind: 'thought', text: `I am in ${tree}/src`} as const;
	expect(inTree(tree, thought)).toBe(thought);
});
