import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {encodeLine} from '../../src/journal/codec.ts';
import {readJournal} from '../../src/journal/read.ts';
import {isEvent} from '../../src/state/apply/apply.ts';
import {makeProject, program, type Running, startIn} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** More than a pipe and all that stands before it hold. */
const often = 300;
const word = 'w'.repeat(800);

const talking = `. '${resolve('fixtures/agents/report.sh')}'
for n in {1..${often}}; do echo "TITLE: Talking $n ${word}"; done
write_line src/a.txt done
report_success src/a.txt`;

const talker = {
	subtask: 'Talk much',
	scope: {allowed: ['src/**']},
	agent: {protocol: 'text', command: ['bash', '-c', talking]},
} as const;

test('a session goes on while nobody reads what its command prints, and no line is lost', async () => {
	const project = makeProject();
	const gate = join(project.aside, 'gate');
	execFileSync('mkfifo', [gate]);
	// The reader takes one line, and nothing more until something is written to the gate.
	const lines = `"$@" | { IFS= read -r line; echo "$line"; read -r -t 200 line <>'${gate}'; cat; }; exit "\${PIPESTATUS[0]}"`;
	let running: Running | undefined;
	const start = (...words: readonly string[]): Running => {
		running = startIn(project, ['bash', '-c', lines, 'bash', process.execPath, program, ...words]);
		return running;
	};
	await using session = await startSession({agents: [talker]}, {...project, start});
	await session.accept('AGT-001');
	const approved = session.approve();
	await session.event('session.ended');
	expect(git(project.root, 'show', 'main:src/a.txt')).toBe('done');

	writeFileSync(gate, '\n');
	expect(await approved).toMatchObject({code: 0});
	const {entries} = await readJournal(session.folder.journal);
	const journaled = entries.filter(isEvent).map(encodeLine);
	expect(session.events('signal.said')).toHaveLength(often + 1);
	expect(`${(await running?.ended)?.stdout}\n`).toBe(journaled.join(''));
});
