import {rmSync, writeFileSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../../helpers/plan-file.ts';
import {configure, makeProject} from '../../helpers/project.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('no session starts whose folder of questions can’t be written, and its folder is named', async () => {
	const project = makeProject({'readme.md': 'hello\n'});
	const plan = writePlan(project, {agents: [agent('says-nothing.sh')]});
	const file = join(project.aside, 'file');
	writeFileSync(file, '');
	for (const home of [join(file, 'home'), ...(platform() === 'linux' ? ['/proc/nowhere'] : [])]) {
		configure(project, {questions: {home}});
		const {code, stderr} = await project.run('run', plan, '--headless', '--yes');
		expect(code).not.toBe(0);
		expect(stderr).toContain(`Cannot write to ${home}/questions/pending`);
	}

	expect((await project.run('sessions')).stdout).not.toContain('DEL-');
});

test('a question whose file is missing is asked with that error, also where the folders are gone, and its agent goes on', async () => {
	await using session = await startSession({
		agents: [agent('references/leaves-questions.sh', ['src/answer.txt'])],
	});
	const {project} = session;
	const home = join(project.environment.HOME ?? '', '.claude');
	const question = await session.item('question', 'AGT-001');
	expect(question.title).toContain('ERROR: Question file missing for workflow_1_q1');
	await session.agent('AGT-001', 'CHECKPOINT');
	rmSync(home, {recursive: true});
	writeFileSync(home, 'in the way');
	await session.event('machine.questions');
	expect((await project.run('inbox')).stdout).toContain(
		`Cannot write to ${home}/questions/pending`,
	);
	rmSync(home);
	await session.answer(question, 'blue');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/answer.txt')).toBe('blue');
});
