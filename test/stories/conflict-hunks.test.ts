import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const path = 'src/shared.txt';
const linesOf = (...lines: readonly string[]) => lines.join('\n');

test('a conflict of two hunks is settled by keys on a small screen, and merged to the byte', async () => {
	const writing = (side: string) =>
		agent('edits.sh', [path, linesOf('one', `${side} 2`, 'three', `${side} 4`, 'five')]);
	await using session = await startSession(
		{agents: [writing('left'), writing('right')]},
		{[path]: `${linesOf('one', 'two', 'three', 'four', 'five')}\n`},
	);
	await session.accept('AGT-001', 'AGT-002');
	await session.item('conflict');
	const {root, aside} = session.project;
	const editor = join(aside, 'editor');
	script(editor, 'grep -q "^left 4$" "$1" && echo "my own 4" >"$1"');
	using terminal = openProgram(session.project, [], {environment: {EDITOR: editor}});
	await terminal.until('⏎ c-1');
	await terminal.typeUntil(keys.enter, 'Git says');
	await terminal.typeUntil('m', '▸m');
	await terminal.typeUntil(keys.enter, '2 of 2 unresolved');
	await terminal.until(/l AGT-001\n\+ left 2\nr AGT-002\n\+ right 2\nResult: ✗ unresolved/);

	await terminal.typeUntil(`${keys.left}l`, '1 of 2 unresolved');
	await terminal.typeUntil('d', '1 of 2 hunks is unresolved; n goes to the next one.');
	await terminal.typeUntil('n', 'hunk 2 of 2');
	await terminal.typeUntil('E', 'edited as a whole');
	await terminal.typeUntil('u', '1 of 2 unresolved');
	await terminal.typeUntil('n', 'hunk 2 of 2');
	await terminal.typeUntil('L', /✔ AGT-001, then AGT-002\n‹ left 4\n› right 4/);
	await terminal.until('✔ 0 of 2 unresolved');
	terminal.type('d');
	await session.event('user.decided', ({choice}) => choice === 'done');
	await session.approve();
	expect(readFileSync(join(root, path), 'utf8')).toBe(
		'one\nleft 2\nthree\nleft 4\nright 4\nfive\n',
	);
	terminal.type(`${keys.left}q`);
	expect(await terminal.exits()).toBe(0);
});
