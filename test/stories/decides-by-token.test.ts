import {spawn} from 'node:child_process';
import {existsSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {until} from '../../src/lib/process/processes.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project, program, projectAt} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {openProgram} from '../helpers/terminal.ts';

/** A shell that waits until what started it has ended, and then runs a command and tells what came of it. */
const orphan = `while [ "$(ps -o ppid= -p $$)" -eq "$1" ]; do :; done
told=$2
shift 2
"$@" > "$told.part" 2>&1 < /dev/null
echo "exit $?" >> "$told.part"
mv "$told.part" "$told"`;

/** Has an orphan without a terminal run a command of the program, and returns what came of it. */
const byOrphan = async (
	{root, aside, environment}: Project,
	words: readonly string[],
	more: Readonly<Record<string, string>> = {},
): Promise<string> => {
	const told = join(aside, 'told');
	rmSync(told, {force: true});
	const line = 'script=$1; shift; setsid /bin/sh -c "$script" sh $$ "$@" &';
	const shown = [orphan, told, process.execPath, program, ...words];
	spawn('/bin/sh', ['-c', line, 'sh', ...shown], {
		cwd: root,
		env: {...environment, ...more},
		stdio: 'ignore',
	});
	await until(() => existsSync(told), 60_000);
	return readFileSync(told, 'utf8');
};

test.runIf(process.platform === 'linux')(
	'an orphan without a terminal decides nothing, unless it shows a token of the person’s; a script whose parent is alive does',
	async () => {
		const config = temporaryFolder();
		const project = projectAt(makeProject().root, {env: {XDG_CONFIG_HOME: config}});
		await using session = await startSession(
			{agents: [agent('asks-once.sh', ['src/a.txt'])]},
			project,
		);
		const {id} = await session.item('question', 'AGT-001');
		const refused = await byOrphan(project, ['answer', id, 'oauth']);
		expect(refused).toMatch(/has no terminal, and its parent has ended/);
		expect(refused).toMatch(/delegate-tui token make NAME\nexit 1$/m);
		expect(await byOrphan(project, ['status'])).toMatch(/exit 0$/m);

		// A token is made at a terminal only, and nobody can read it where it is kept.
		expect((await project.run('token', 'make', 'cron')).stderr).toContain('at a terminal');
		using terminal = openProgram(project, ['token', 'make', 'cron'], {columns: 200});
		await terminal.exits();
		const [secret = ''] = terminal.text().match(/^[\w-]{43}$/m) ?? [];
		const kept = join(config, 'delegate-tui/tokens.json');
		expect(statSync(kept).mode & 0o777).toBe(0o600);
		expect([secret.length, readFileSync(kept, 'utf8').includes(secret)]).toEqual([43, false]);

		const wrong = {DELEGATE_TUI_TOKEN: `${secret.slice(1)}x`};
		expect(await byOrphan(project, ['answer', id, 'oauth'], wrong)).toContain(
			'does not exist, or was revoked',
		);
		const file = join(project.aside, 'token');
		writeFileSync(file, `${secret}\n`);
		expect(await byOrphan(project, ['answer', id, 'oauth', '--token-file', file])).toMatch(
			/exit 0$/m,
		);
		expect(await session.event('user.decided', ({item}) => item === id)).toMatchObject({
			by: 'user',
			asker: {token: 'cron', tty: null},
		});
		expect((await project.run('log', '--questions')).stdout).toContain('by the token cron');

		const review = await session.item('review', 'AGT-001');
		expect((await project.run('token')).stdout).toMatch(/^cron +made 2/);
		expect((await project.run('token', 'revoke', 'cron')).code).toBe(0);
		const answer = ['answer', review.id, 'merge'];
		expect(await byOrphan(project, answer, {DELEGATE_TUI_TOKEN: secret})).toContain('was revoked');
		expect((await project.run(...answer)).code).toBe(0);
		await session.approve();
	},
);
