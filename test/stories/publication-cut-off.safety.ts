import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git, script, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** A project in which the first git that writes a second file into the checkout is killed, with the supervisor that started it, after something else has happened. */
const deadlyProject = (meanwhile = 'true') => {
	const project = makeProject({
		'.gitattributes': '*.txt filter=deadly\n',
		'src/one.txt': 'base\n',
		'src/two.txt': 'base\n',
	});
	const {root, aside} = project;
	const [armed, deadly] = [join(aside, 'armed'), join(aside, 'deadly')];
	script(
		deadly,
		`[ "$PWD" = ${root} ] && [ -e ${armed} ] || exec cat
[ -s ${armed} ] || { echo once > ${armed}; exec cat; }
rm ${armed}
${meanwhile}
kill -9 $(ps -o ppid= -p $PPID) $PPID
`,
	);
	git(root, 'config', 'filter.deadly.smudge', deadly);
	git(root, 'config', 'filter.deadly.clean', 'cat');
	return {project, root, arm: () => writeFileSync(armed, '')};
};

const work = agent('edits.sh', ['src/one.txt', 'merged', 'src/two.txt', 'merged']);

test('a publication whose git and supervisor are killed in the middle is finished by the next command', async () => {
	const {project, root, arm} = deadlyProject();
	await using session = await startSession({agents: [work]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const before = git(root, 'rev-parse', 'main');
	arm();
	await session.tryAnswer(approval, 'approve');
	await project.run('status');
	const {code} = await session.end();
	expect(code).toBe(0);
	expect(session.events('merge.published')).toHaveLength(1);
	expect(session.events('merge.refused')).toEqual([]);
	expect(git(root, 'rev-parse', 'main^')).toBe(before);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(readFileSync(join(root, 'src/two.txt'), 'utf8')).toBe('merged\n');
	expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
});

test('when a file changed in another way after the kill, it is named and asked about, and nothing of it is lost', async () => {
	const {project, root, arm} = deadlyProject('echo my own > src/one.txt');
	await using session = await startSession({agents: [work]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	arm();
	await session.tryAnswer(approval, 'approve');
	await project.run('status');
	const refused = await session.event('merge.refused');
	expect(refused.message).toMatch(/cut off in the middle.*: src\/one\.txt$/);
	expect(readFileSync(join(root, 'src/one.txt'), 'utf8')).toBe('my own\n');
	const again = await session.item('approval');
	expect(again.title).toContain('src/one.txt');

	write(root, {'src/one.txt': 'base\n'});
	await session.answer(again, 'approve');
	expect((await session.end()).code).toBe(0);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'show', 'main:src/one.txt')).toBe('merged');
});
