import {execFileSync} from 'node:child_process';
import {copyFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {agent, type PlannedAgent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {commitAll, git, script, write} from '../helpers/repository.ts';
import {startSession, storyMs} from '../helpers/session.ts';

const fixtures = resolve(import.meta.dirname, '../../fixtures/agents');

/** An agent that is the program at a path. */
const at = (program: string, ...words: readonly string[]): PlannedAgent => ({
	subtask: 'Do what the program does',
	scope: {allowed: ['src/**']},
	agent: {protocol: 'text', command: [program, ...words]},
});

test('an agent whose `setup` failed on top of another’s work starts when a person tries again', async () => {
	const project = makeProject();
	const broken = join(project.aside, 'broken');
	writeFileSync(broken, '');
	const agents = [
		agent('edits.sh', ['src/one.txt', 'one']),
		agent('edits.sh', ['src/two.txt', 'two'], {after: ['AGT-001'], resume: 'completed'}),
	];
	const setup = [`test ! -e ${broken} || test ! -e src/one.txt`];
	await using session = await startSession({agents, setup}, project);
	const failure = await session.item('failure', 'AGT-002');
	expect(await session.agent('AGT-002', 'FAILED')).toMatchObject({
		why: expect.stringContaining('setup failed'),
	});
	rmSync(broken);
	await session.answer(failure, 'retry');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/one.txt')).toBe('one');
	expect(git(project.root, 'show', 'main:src/two.txt')).toBe('two');
});

test('a worktree that was half recreated when the supervisor was killed is made again, with all of its agent’s work', async () => {
	const project = makeProject();
	const {root, aside} = project;
	const [fifo, program] = [join(aside, 'fifo'), join(aside, 'agent')];
	script(
		program,
		`. ${join(fixtures, 'report.sh')}
case "$(cat)" in
	'CHECKPOINT REVIEWED'*) write_line src/two.txt two; report_success src/two.txt;;
	*) write_line src/one.txt one; report_checkpoint;;
esac
`,
	);
	const setup = [`if [ -p ${fifo} ]; then echo begun > ${fifo}; sleep 600; fi`];
	await using session = await startSession({agents: [at('bash', program)], setup}, project);
	const checkpoint = await session.item('checkpoint', 'AGT-001');
	await session.event('snapshot.taken', ({reason}) => reason === 'exit:1');
	rmSync(session.folder.agent('AGT-001').tree, {recursive: true});
	execFileSync('mkfifo', [fifo]);
	await session.answer(checkpoint, 'continue');
	expect((await execa('cat', [fifo], {timeout: storyMs})).stdout).toBe('begun');
	rmSync(fifo);
	await session.killSupervisor();

	await project.run('status');
	await session.accept('AGT-001');
	await session.approve();
	expect(session.events('workspace.prepared').at(-1)).toMatchObject({rebuilt: {snapshot: 2}});
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe('src/one.txt\nsrc/two.txt');
});

test('an agent that can’t bring its work in again takes nothing of anybody else’s back', async () => {
	const project = makeProject({'src/shared.txt': 'base\n'});
	const {root, aside} = project;
	const program = join(aside, 'edits.sh');
	for (const name of ['edits.sh', 'report.sh']) {
		copyFileSync(join(fixtures, name), join(aside, name));
	}

	const agents = [
		agent('edits.sh', ['src/shared.txt', 'left', 'src/left.txt', 'left']),
		at(program, 'src/shared.txt', 'right'),
	];
	await using session = await startSession({agents}, project);
	await session.item('review', 'AGT-001');
	write(root, {'src/mine.txt': 'mine\n'});
	commitAll(root);
	await session.event('target.moved');
	await session.accept('AGT-001', 'AGT-002');
	await session.event('merge.blocked');
	const conflict = await session.item('conflict');
	rmSync(program);
	await session.answer(conflict, 'redo:AGT-001,AGT-002');
	await session.accept('AGT-002');
	await session.until('the conflict again', () => session.events('merge.blocked')[1]);
	const again = await session.item('conflict');
	expect(again.title).toContain('AGT-001 and AGT-002 collide in src/shared.txt');
	await session.answer(again, 'choose-one:AGT-002');
	await session.approve();
	const shown = (path: string): string => git(root, 'show', `main:src/${path}`);
	expect(['mine.txt', 'left.txt', 'shared.txt'].map(shown)).toEqual(['mine', 'left', 'right']);
});
