import {execFileSync} from 'node:child_process';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git, script, temporaryFolder} from '../helpers/repository.ts';
import {startSession, storyMs} from '../helpers/session.ts';

test('a worktree whose packages were being copied when the supervisor was killed is made anew, with all of them', async () => {
	const aside = temporaryFolder();
	const [bin, fifo] = [join(aside, 'bin'), join(aside, 'fifo')];
	const real = execFileSync('sh', ['-c', 'command -v cp'], {encoding: 'utf8'}).trim();
	// Half of the copy is there when it stops.
	script(
		join(bin, 'cp'),
		`for to; do :; done
if [ -p ${fifo} ]; then mkdir "$to"; touch "$to/half"; echo begun >${fifo}; sleep 600; fi
exec ${real} "$@"`,
	);
	execFileSync('mkfifo', [fifo]);
	const {root} = makeProject({
		'.gitignore': 'node_modules/\n',
		'package.json': '{"name": "shop", "dependencies": {"left": "file:left"}}',
		'left/package.json': '{"name": "left", "version": "1.0.0"}',
		'src/one.txt': 'one\n',
	});
	execFileSync('npm', ['install', '--package-lock-only', '--offline', '--silent'], {cwd: root});
	git(root, 'add', '--all');
	git(root, 'commit', '--quiet', '--message=lock');
	const project = projectAt(root, {aside, env: {PATH: `${bin}:${process.env.PATH}`}});
	const agents = ['one', 'two'].map(name => agent('edits.sh', [`src/${name}.txt`, name]));
	await using session = await startSession({agents, setup: ['npm ci --offline']}, project);
	expect((await execa('cat', [fifo], {timeout: storyMs})).stdout).toBe('begun');
	rmSync(fifo);
	await session.killSupervisor();

	await project.run('status');
	await session.accept('AGT-001', 'AGT-002');
	for (const id of ['AGT-001', 'AGT-002']) {
		const {tree} = session.folder.agent(id);
		expect(existsSync(join(tree, 'node_modules/left/package.json'))).toBe(true);
		expect(existsSync(join(tree, 'node_modules/half'))).toBe(false);
	}
});
