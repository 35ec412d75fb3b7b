import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const path = 'src/long.txt';
const long = (first: string, last: string): string =>
	[first, ...Array.from({length: 20}, (_, line) => `line ${line}`), last, ''].join('\n');

test('of a work that failed a hunk and a file are taken by keys on a small screen, and merged to the byte', async () => {
	const spoils = "sed -i -e 's/^first$/FIRST/' -e 's/^last$/LAST/' src/long.txt";
	const writes = 'echo kept >src/kept.txt; echo dropped >src/dropped.txt';
	await using session = await startSession(
		{
			agents: [
				{
					subtask: 'Shout',
					agent: {protocol: 'text', command: ['/bin/sh', '-c', `${spoils}; ${writes}; exit 7`]},
					scope: {allowed: ['src/**']},
				},
			],
		},
		{[path]: long('first', 'last')},
	);
	await session.item('failure');
	const {root} = session.project;
	using terminal = openProgram(session.project);
	await terminal.until('⏎ f-1');
	await terminal.typeUntil(keys.enter, 'How it ended');
	await terminal.typeUntil('p', '0 of 4 taken  part 1 of 4');
	await terminal.until('src/dropped.txt');
	await terminal.typeUntil('n', 'src/kept.txt');
	await terminal.typeUntil('y', /− first\n\+ FIRST/);
	await terminal.typeUntil('n', /− last\n\+ LAST/);
	await terminal.typeUntil('y', '2 of 4 taken');
	terminal.type('d');
	await session.event('user.decided', ({choice}) => choice === 'salvage');
	await session.approve();
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe(`src/kept.txt\n${path}`);
	expect(readFileSync(join(root, path), 'utf8')).toBe(long('first', 'LAST'));
	expect(session.state().agents[0]?.state).toBe('MERGED');
	terminal.type(`${keys.left}q`);
	expect(await terminal.exits()).toBe(0);
});
