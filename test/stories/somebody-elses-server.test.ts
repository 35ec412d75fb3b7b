import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findContainment} from '../../src/lib/process/containment.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project, projectAt} from '../helpers/project.ts';
import {startSession} from '../helpers/session.ts';

/** A server on a fixed port, and a test that starts one only where nobody answers, as runners of tests do that reuse a server. */
const filesFor = (port: number) => ({
	'src/value.txt': 'good\n',
	'srv.mjs': `import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
createServer((_, response) => response.end(readFileSync('src/value.txt'))).listen(${port}, '127.0.0.1', () => console.log('listening'));
`,
	'e2e.mjs': `import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
const ask = () => fetch('http://127.0.0.1:${port}').then(response => response.text());
const wait = () => new Promise(resolve => setTimeout(resolve, 50));
let text = await ask().catch(error => console.log(error.message, error.cause));
console.log(text === undefined ? 'starting a server' : 'reusing the server that listens');
const server = text === undefined ? spawn(process.execPath, ['srv.mjs']) : undefined;
for (let tries = 0; text === undefined && tries < 200; tries++) {
	await wait();
	text = await ask().catch(() => undefined);
}
server?.kill();
console.log('served: ' + text);
process.exit(text?.trim() === 'good' ? 0 : 1);
`,
});

const check = `${process.execPath} e2e.mjs`;
const {ownNetwork} = await findContainment();

/** The two ways: with a loopback of its own where the machine has that, and without any namespace. */
const ways = [
	...(ownNetwork === undefined ? [] : [{way: 'in a network of its own', env: {}}]),
	{way: 'without namespaces', env: {DELEGATE_TUI_PROCESSES: 'groups'}},
];

const projectFor = (port: number, env: Readonly<Record<string, string>>): Project => {
	const {root, aside} = makeProject(filesFor(port));
	return projectAt(root, {aside, env});
};

const startServer = async (folder: string): Promise<void> => {
	const server = spawn(process.execPath, ['srv.mjs'], {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void server.kill());
	await new Promise(resolve => server.stdout.once('data', resolve));
};

/** Ports that no slot has, another one for each test. */
let next = 41_300;
const takePort = (): number => next++;

test.each(ways)(
	'broken work does not pass by the server that the person left running ($way)',
	async ({way, env}) => {
		const port = takePort();
		const project = projectFor(port, env);
		await startServer(project.root);
		await using session = await startSession(
			{agents: [agent('edits.sh', ['src/value.txt', 'broken'])], verify: [check]},
			project,
		);
		await session.accept('AGT-001');
		if (way === 'without namespaces') {
			const approval = await session.item('approval');
			// Servers of other tests that run meanwhile are named beside it.
			const held = `[^)\n]*port ${port}(?: was used meanwhile)?, held by node in ${project.root}`;
			expect((await project.run('inbox')).stdout).toMatch(new RegExp(`checked, but ${held}`));
			const first = await project.run('answer', approval.id, 'approve');
			expect(first.stderr).toMatch(
				new RegExp(`${approval.id} stays open: Its check passed, but ${held}`),
			);
			expect(session.events('merge.published')).toEqual([]);
			expect((await project.run('answer', approval.id, 'approve', '--anyway')).code).toBe(0);
			await session.end();
			expect(session.events('merge.published').length).toBe(1);
		} else {
			await session.item('verify');
			expect(session.events('verify.ended')).toMatchObject([{ok: false}]);
		}
	},
);

test.each(ways)(
	'broken work does not pass by the server of another agent that is at work ($way)',
	async ({way, env}) => {
		const port = takePort();
		const project = projectFor(port, env);
		await using session = await startSession(
			{
				agents: [
					agent('edits.sh', ['src/value.txt', 'broken']),
					{...agent('holds-server.sh', [process.execPath]), scope: {allowed: ['other/**']}},
				],
				verify: [check],
			},
			project,
		);
		await session.event('signal.said', ({signal}) => signal.kind === 'progress');
		const review = await session.item('review', 'AGT-001');
		await project.run('answer', review.id, 'merge-now');
		const {ok, commands, log} = await session.event('verify.ended');
		if (way === 'without namespaces') {
			const printed = readFileSync(join(session.folder.path, log?.path ?? ''), 'utf8');
			expect(printed).toMatch(/reusing the server that listens\nserved: good\n/);
			expect(ok).toBe(true);
			// Other programs of this machine may have used loopback meanwhile; they are named besides.
			expect(commands[0]?.ports).toContainEqual(
				expect.objectContaining({
					port,
					by: expect.stringMatching(/^node in .*-agt-002-[\da-f]{6}$/),
				}),
			);
		} else {
			expect(ok).toBe(false);
		}
	},
);

test.runIf(ownNetwork !== undefined)(
	'a check with a network of its own reaches the port that the plan names, and no other',
	async () => {
		const port = takePort();
		const project = projectFor(port, {});
		await startServer(project.root);
		const ask = `${process.execPath} -e 'fetch("http://127.0.0.1:${port}").then(() => process.exit(0), () => process.exit(7))'`;
		const checkWith = async (more: {
			readonly verify_needs?: readonly number[];
			readonly verify_network?: 'host';
		}) => {
			await using session = await startSession(
				{agents: [agent('edits.sh', ['src/value.txt', 'better'])], verify: [ask], ...more},
				project,
			);
			await session.accept('AGT-001');
			return await session.event('verify.ended');
		};
		expect(await checkWith({})).toMatchObject({ok: false, commands: [{code: 7}]});
		expect(await checkWith({verify_needs: [port]})).toMatchObject({
			ok: true,
			commands: [{command: ask, code: 0}],
		});
		const shared = await checkWith({verify_network: 'host'});
		expect(shared.ok).toBe(true);
		expect(shared.commands[0]?.ports).toContainEqual(
			expect.objectContaining({port, by: `node in ${project.root}`}),
		);
	},
);
