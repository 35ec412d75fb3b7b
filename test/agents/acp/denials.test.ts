import {expect, test} from 'vitest';
import {denialsIn, outputIn} from '../../../src/agents/acp/speech/denials.ts';

test.each([
	['cat: /home/u/.npmrc: No such file or directory', 'read', '/home/u/.npmrc'],
	["ls: cannot access '/home/u/my notes': No such file or directory", 'read', '/home/u/my notes'],
	['/usr/bin/cat: /srv/key: Permission denied', 'read', '/srv/key'],
	['bash: line 3: /srv/log: Read-only file system', 'write', '/srv/log'],
	['/bin/sh: 1: cannot create /srv/log: Read-only file system', 'write', '/srv/log'],
	['mkdir: cannot create directory ‘/srv/a/b’: Read-only file system', 'write', '/srv/a/b'],
	["Error: EROFS: read-only file system, open '/srv/../srv/log'", 'write', '/srv/log'],
	["Error: ENOENT: no such file or directory, open '/srv/key'", 'read', '/srv/key'],
	["OSError: [Errno 30] Read-only file system: '/srv/log'", 'write', '/srv/log'],
	['open /srv/log: read-only file system', 'write', '/srv/log'],
	['ERROR /app/a.sh: line 3: /srv/log: Read-only file system', 'write', '/srv/log'],
	['Error: connect ENOENT /srv/db.sock', 'read', '/srv/db.sock'],
	['Error: connect ECONNREFUSED /srv/db.sock at /app/a.js', 'read', '/srv/db.sock'],
	['Could not connect to Redis at /srv/db.sock: Connection refused', 'read', '/srv/db.sock'],
	['cat: /Users/u/notes: Operation not permitted', 'read', '/Users/u/notes'],
	["mkdir: '/srv/a': Operation not permitted", 'write', '/srv/a'],
])('%j tells of a path that could not be reached', (line, to, path) => {
	expect(denialsIn(`before\n${line}\n${line}\nafter`)).toEqual([{path, to}]);
});

test.each([
	'cat: notes.txt: No such file or directory',
	'I need /home/u/.npmrc.',
	'connect ECONNREFUSED 127.0.0.1:5432',
	'grep: binary file matches /srv/log',
	`x: /${'a'.repeat(3000)}: Permission denied`,
])('%j tells of none', line => {
	expect(denialsIn(line)).toEqual([]);
});

test('an output is found where agents put it', () => {
	const content = [{type: 'content', content: {type: 'text', text: 'one'}}, {type: 'diff'}];
	expect(outputIn({content})).toBe('one');
	expect(outputIn({rawOutput: 'two'})).toBe('two');
	expect(outputIn({rawOutput: {stdout: 'three', stderr: 'four', code: 1}})).toBe('three\nfour');
	expect(outputIn({rawOutput: [1], content: 'x'})).toBe('');
});
