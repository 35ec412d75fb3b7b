import {execFileSync} from 'node:child_process';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {worktreePath} from '../../src/git/store/worktree-path.ts';
import {agent} from '../helpers/plan-file.ts';
import {git, script} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {keys, openProgram, type TestTerminal} from '../helpers/terminal.ts';
import {shared, startCollision} from '../stories/collision.ts';

/** Opens the screen at the conflict, in a terminal with this in its environment. */
const openConflict = async (
	{project}: Session,
	environment: Readonly<Record<string, string>>,
): Promise<TestTerminal> => {
	const terminal = openProgram(project, [], {environment, columns: 100, rows: 30});
	await terminal.until('⏎ c-1');
	await terminal.typeUntil(keys.enter, 'Resolving by hand');
	return terminal;
};

test('a conflict is resolved in the person’s editor, which has the terminal to itself meanwhile, with all that is typed; one that is not named, fails, is killed, interrupted or missing is told of, and nothing is lost', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const {folder = ''} = await session.answer(conflict, 'manual');
	const file = join(worktreePath(folder, 'files'), shared);
	const editor = join(session.project.aside, 'an editor');
	using without = await openConflict(session, {});
	await without.typeUntil('e', 'No editor is named by VISUAL or EDITOR.');
	expect(without.written().split('\u001b[?1049l')).toHaveLength(1);
	without.type('q');
	await without.exits();

	using terminal = await openConflict(session, {VISUAL: `'${editor}' --wait`, EDITOR: 'false'});
	await terminal.typeUntil('P', `Conflict markers remain in ${shared}.`);
	const fails = async (body: string, words: string, typed = '') => {
		script(editor, body);
		terminal.type('e');
		if (typed !== '') {
			await terminal.until('the editor is open');
			expect(terminal.isAlternate()).toBe(false);
			terminal.type(typed);
		}

		await terminal.until(words);
		expect(terminal.isAlternate()).toBe(true);
		await terminal.until('after this choice: Take the files in');
	};

	const around = join(session.project.aside, 'environment');
	await fails(`echo half >"$2"\nenv >'${around}'\nexit 3`, 'Your editor exited with code 3.');
	expect(readFileSync(file, 'utf8')).toBe('half\n');
	expect(readFileSync(around, 'utf8')).toMatch(/^DELEGATE_VISIT=a file that agents wrote$/m);
	await terminal.until('+ half');
	await fails('kill -KILL $$', 'Your editor was ended by SIGKILL.');
	await fails(
		'echo the editor is open\nread -r line',
		'Your editor was ended by SIGINT.',
		keys.controlC,
	);
	rmSync(editor);
	await terminal.typeUntil('e', 'Your editor can’t be started');
	expect(readFileSync(file, 'utf8')).toBe('half\n');
	expect(session.events('user.decided').filter(({choice}) => choice === 'done')).toEqual([]);

	const gate = join(session.project.aside, 'gate');
	execFileSync('mkfifo', [gate]);
	script(editor, `echo the editor is open\ncat '${gate}'`);
	await terminal.typeUntil('e', 'the editor is open');
	await terminal.typeUntil('q\rtyped ahead q', 'q\ntyped ahead q');
	writeFileSync(gate, '');
	await terminal.until('Your editor has closed.');

	script(
		editor,
		'echo "$1 $2"\nwhile read -r line && [ "$line" != . ]; do\n\techo "$line"\n\techo "took $line" >&2\ndone >"$2"',
	);
	await terminal.typeUntil('e', '--wait /');
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.isCursorShown()).toBe(true);

	const lines = Array.from({length: 12}, (_, index) => `line ${index} of both, with q and e`);
	for (const line of lines) {
		await terminal.typeUntil(`${line}\r`, `took ${line}`);
	}

	terminal.resize(90, 28);
	await terminal.typeUntil('.\r', 'Your editor has closed.');
	expect(terminal.isAlternate()).toBe(true);
	expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
	await terminal.until(
		/after this choice: Take the files in[\s\S]*− base\n \+ line 0 of both, with q and e/,
	);
	await terminal.until(rows => rows.length === 28 && rows.at(-1)?.includes('leave') === true);
	expect(terminal.rows()[0]).toContain('delegate-tui');

	await terminal.typeUntil('d', '▸d');
	terminal.type(keys.enter);
	await session.event('user.decided', ({choice}) => choice === 'done');
	await session.approve();
	expect(git(session.project.root, 'show', `main:${shared}`)).toBe(lines.join('\n'));
	terminal.type(`${keys.left}q`);
	expect(await terminal.exits()).toBe(0);
	expect(terminal.isAlternate()).toBe(false);
});

test('a file of a diff is opened at its line: in the worktree of whoever is at work, and as a copy once they have finished', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const seen = join(session.project.aside, 'seen');
	const editor = join(session.project.aside, 'vim');
	script(
		editor,
		`echo "$1 $2 $(cat "$2")" >>'${seen}'\necho more >>"$2"\nprintf 'a line without an end'`,
	);
	using terminal = openProgram(session.project, [], {environment: {EDITOR: editor}});
	const question = await session.item('question');
	await terminal.typeUntil('o', '─ AGT-001');
	await terminal.typeUntil('d', '+ not decided');
	await terminal.typeUntil('e', 'You changed 1 file, and AGT-001 is told');
	expect(terminal.rows()[0]).toMatch(/^ delegate-tui /);
	expect(readFileSync(seen, 'utf8')).toBe('+1 ./src/auth.txt not decided\n');
	await session.answer(question, 'jwt');
	await terminal.typeUntil(keys.escape, '─ 1 AGT-001');
	await terminal.until('⏎ r-1');
	await terminal.typeUntil(keys.left + keys.enter, 'Send it back');
	// The diff may come later than the list of its files.
	await terminal.typeUntil('G', /src\/auth\.txt .*new file/);
	await terminal.typeUntil('G', '+ jwt');
	await terminal.typeUntil('e', 'That was a copy of src/auth.txt');
	expect(readFileSync(seen, 'utf8')).toMatch(/\n\+1 \/\S+\/auth\.txt .*jwt/);
	terminal.type('q');
	expect(await terminal.exits()).toBe(0);
});
