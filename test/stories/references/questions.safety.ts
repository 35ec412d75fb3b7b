import {readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findContainment} from '../../../src/lib/process/containment.ts';
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
	// The supervisor makes the folders again meanwhile.
	renameSync(home, `${home}.gone`);
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

/** Where agents share their folders of questions, two scripts that begin in one second take the same name. */
const {level} = await findContainment();

test.runIf(level === 'namespace')(
	'scenarios 1 to 3: the script of the document gets its answer from a file, from the screen while it waits, or after it left',
	async () => {
		await using session = await startSession({
			agents: [
				agent('quick-or-escalated.sh', ['src/file.txt', '600', '1']),
				agent('quick-or-escalated.sh', ['src/screen.txt', '600', '1']),
				agent('quick-or-escalated.sh', ['src/away.txt', '1', '1']),
			],
		});
		const {project} = session;
		const home = join(project.environment.HOME ?? '', '.claude');
		const pending = join(home, 'questions/pending');
		const [file, screen, away] = [
			await session.item('question', 'AGT-001'),
			await session.item('question', 'AGT-002'),
			await session.item('question', 'AGT-003'),
		];
		await session.agent('AGT-003', 'CHECKPOINT');
		const asked = readdirSync(pending).map(name => ({
			name: name.replace(/\.json$/, ''),
			...JSON.parse(readFileSync(join(pending, name), 'utf8')),
		}));
		onTestFinished(() => {
			for (const {checkpoint} of asked) {
				rmSync(checkpoint, {force: true});
			}
		});
		const byFile = asked.find(one => one.asked_by === file.agent);
		writeFileSync(join(home, 'answers', `${byFile?.name}.txt`), 'oauth\n');
		await session.answer(screen, 'jwt');
		await session.answer(away, 'jwt');
		await session.accept('AGT-001', 'AGT-002', 'AGT-003');
		await session.approve();
		const turns = session.events('turn.started').map(({agent: id}) => id);
		expect(turns.toSorted()).toEqual(['AGT-001', 'AGT-002', 'AGT-003', 'AGT-003']);
		const told = ['file', 'screen', 'away'].map(name =>
			git(project.root, 'show', `main:src/${name}.txt`),
		);
		expect(told).toEqual(['oauth', 'jwt', 'jwt']);
	},
);
