import {readdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readJournal} from '../../src/journal/read.ts';
import {segmentPath} from '../../src/journal/scan.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {markedProcesses} from '../helpers/marked-processes.ts';
import {agent} from '../helpers/plan-file.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {tell} from '../safety/figures.ts';

type Removal = 'lock' | 'moved lock' | 'runtime folder';

const homeOf = ({project}: Session) =>
	repositoryFolder(project.state, readdirSync(project.state)[0] ?? '');

/** Takes away what a supervisor stands on. */
const remove = (session: Session, what: Removal): void => {
	const {lock} = homeOf(session);
	switch (what) {
		case 'lock':
			rmSync(lock);
			return;
		case 'moved lock':
			renameSync(lock, `${lock}.away`);
			return;
		case 'runtime folder': {
			const temporary = session.project.environment.TMPDIR ?? '';
			const [runtime = ''] = readdirSync(temporary).filter(name => name.startsWith('delegate-tui'));
			rmSync(join(temporary, runtime), {recursive: true});
		}
	}
};

const supervisorsOf = ({project}: Session) =>
	markedProcesses(`DELEGATE_TUI_STATE=${project.state}`).filter(({command}) =>
		/ supervise\b/.test(command),
	);

const removals: ReadonlyArray<readonly Removal[]> = [
	['lock'],
	['lock', 'runtime folder'],
	['runtime folder', 'moved lock'],
];

const named = removals.map(whats => ({whats, name: whats.join(' and ')}));

test.for(named)('one supervisor goes on with its session without $name', async ({whats}) => {
	await using session = await startSession({
		agents: [agent('asks-once.sh', ['src/one.txt']), agent('asks-once.sh', ['src/two.txt'])],
	});
	const questions = [
		await session.item('question', 'AGT-001'),
		await session.item('question', 'AGT-002'),
	];
	for (const what of whats) {
		remove(session, what);
	}

	const {run} = session.project;
	const answered = questions.map(({id}) => run('answer', id, 'jwt'));
	const outcomes = await Promise.all([...answered, run('status')]);
	expect(outcomes).toMatchObject([{code: 0}, {code: 0}, {code: 0}]);
	await session.item('review', 'AGT-001');
	await session.item('review', 'AGT-002');
	// One that has lost the lock, or came too late for it, needs a moment to end.
	await expect.poll(() => supervisorsOf(session)).toHaveLength(1);
	expect(readFileSync(homeOf(session).log, 'utf8')).toContain('so this supervisor ends');
	for (const what of whats) {
		remove(session, what);
	}

	expect((await run('stop')).code).toBe(0);
	await session.end();
	expect((await readJournal(session.folder.journal)).end).toEqual({kind: 'whole'});
	tell('J', 'sessions that went on although what keeps a second supervisor out was removed', 1);
});

test('a supervisor whose journal is removed ends and says so', async () => {
	const session = await startSession({agents: [agent('asks-once.sh', ['src/one.txt'])]});
	const question = await session.item('question', 'AGT-001');
	const path = segmentPath(session.folder.journal, 1);
	rmSync(path);
	const {code} = await session.project.run('answer', question.id, 'jwt');
	expect(code).not.toBe(0);
	await expect.poll(() => supervisorsOf(session), {timeout: 30_000}).toEqual([]);
	expect(readFileSync(homeOf(session).log, 'utf8')).toContain(`changed ${path}`);
});
