import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer, type Socket} from 'node:net';
import {delimiter, dirname, join, resolve} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findContainment} from '../../src/lib/process/containment.ts';
import {agent, scripted, writePlan} from '../helpers/plan-file.ts';
import {configure, makeProject, type Project, projectAt} from '../helpers/project.ts';
import {
	belongings,
	commitAll,
	filesBelow,
	git,
	temporaryFolder,
	write,
} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const {fileSandbox} = await findContainment();
if ('missing' in fileSandbox) {
	console.warn(
		`Skipped, since ${fileSandbox.missing}: what agents reach while files are protected`,
	);
}

const fixtures = resolve(import.meta.dirname, '../../fixtures/agents');

const sandboxed = test.skipIf('missing' in fileSandbox);

/** A person whose agents are shut in where the machine can do it, with secrets in their home. */
const protectedProject = (): Project => {
	const {root, aside} = makeProject({'readme.md': 'hello\n', 'tracked.txt': 'kept\n'});
	const home = join(aside, 'home');
	mkdirSync(home);
	write(home, {'.ssh/id': 'secret of ssh\n', '.aws/credentials': 'secret of aws\n'});
	return projectAt(root, {aside, env: {HOME: home, DELEGATE_TUI_PROCESSES: ''}});
};

/** What belongs to the person, without the one ref that is ours. */
const ownOf = (root: string) => {
	const {refs, gitFiles, ...own} = belongings(root);
	const isOurs = (path: string): boolean => path.includes('refs/delegate/');
	return {
		...own,
		refs: refs.split('\n').filter(line => !isOurs(line)),
		gitFiles: Object.entries(gitFiles).filter(([path]) => !isOurs(path)),
	};
};

sandboxed(
	'an agent and a check reach nothing but their worktree, and work in that as ever',
	async () => {
		const project = protectedProject();
		const {root, aside, state, environment} = project;
		const {HOME: home = ''} = environment;
		const [remote, elsewhere] = [join(aside, 'remote.git'), join(aside, 'elsewhere')];
		execFileSync('git', ['init', '--quiet', '--bare', remote]);
		git(root, 'remote', 'add', 'origin', remote);
		mkdirSync(elsewhere);
		const connections: Socket[] = [];
		const socket = join(temporaryFolder(), 'agent.sock');
		const server = createServer(peer => void connections.push(peer)).listen(socket);
		onTestFinished(() => void server.close());
		const before = ownOf(root);
		const outside = filesBelow(aside);
		await using session = await startSession(
			{
				agents: [agent('reaches/first.sh', [root, home, elsewhere, state, socket])],
				setup: [`! echo reached > ${elsewhere}/setup.txt`],
				verify: [`! cat ${home}/.ssh/id && ! echo reached > ${root}/verify.txt`],
			},
			project,
		);
		const {stdout} = await project.run('status', '--json');
		expect(JSON.parse(stdout)).toMatchObject({sandbox: {level: 'files'}});
		await session.accept('AGT-001');
		await session.item('approval');
		expect(ownOf(root)).toEqual(before);
		expect(git(remote, 'for-each-ref')).toBe('');
		expect(connections).toEqual([]);
		const touched = Object.entries(filesBelow(aside)).filter(
			([path, content]) => !path.startsWith('state/') && outside[path] !== content,
		);
		expect(touched.map(([path]) => path)).toEqual(['plan.yaml']);
		const reached = filesBelow(state);
		expect(Object.keys(reached).filter(path => /(?<!home\/)canary/.test(path))).toEqual([]);
		const folder = session.folder.agent('AGT-001');
		expect(readFileSync(join(folder.hub, 'config'), 'utf8')).not.toContain('reached');
		expect(readdirSync(join(folder.hub, 'hooks'))).toEqual([]);
		expect(existsSync(join(folder.hub, 'worktrees'))).toBe(true);

		await session.approve();
		const said = readFileSync(join(root, 'src/said.txt'), 'utf8');
		expect(said).not.toMatch(/secret of|^connected/m);
		expect(said.split('\n').slice(-4)).toEqual(['committed', 'stashed', 'home', '']);
		expect(git(root, 'show', 'main:src/a.txt')).toBe('done\ny');
	},
);

sandboxed('a home that is a repository shows its secrets to nobody', async () => {
	const {root, aside} = makeProject();
	write(root, {'.ssh/id': 'secret of ssh\n'});
	await using session = await startSession(
		{
			agents: [agent('edits.sh', ['src/a.txt', 'a'])],
			verify: [`! cat ~/.ssh/id && ! cat ${root}/.ssh/id && cat src/a.txt`],
		},
		projectAt(root, {aside, env: {HOME: root, DELEGATE_TUI_PROCESSES: ''}}),
	);
	await session.accept('AGT-001');
	expect((await session.item('approval')).title).toContain('checked)');
	await session.approve();
});

sandboxed('a script that keeps its checkpoint in /tmp goes on there after its answer', async () => {
	await using session = await startSession(
		{agents: [agent('quick-or-escalated.sh', ['src/away.txt', '1', '1'])]},
		protectedProject(),
	);
	const away = await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.answer(away, 'jwt');
	await session.agent('AGT-001', 'COMPLETE');
	expect(readFileSync(session.folder.agent('AGT-001').transcript(2), 'utf8')).toContain(
		'Resuming at auth_method_selection\nWORKFLOW_COMPLETE',
	);
});

sandboxed('what a person allows is reached, and is shown in the plan', async () => {
	const project = protectedProject();
	const {aside, environment} = project;
	const written = join(aside, 'written');
	mkdirSync(written);
	await using session = await startSession(
		{
			agents: [agent('asks-once.sh', ['src/a.txt'])],
			verify: [`cat ~/.ssh/id && echo reached > ${written}/file && ! cat ~/.aws/credentials`],
			allow: {read: ['~/.ssh/id'], write: [written]},
		},
		project,
	);
	await session.answer(await session.item('question'), 'jwt');
	await session.accept('AGT-001');
	expect((await session.item('approval')).title).toContain('checked)');
	const started = session.events('session.started').at(0);
	expect(started?.plan.allow).toEqual({read: ['~/.ssh/id'], write: [written]});
	expect(readFileSync(join(written, 'file'), 'utf8')).toBe('reached\n');
	expect(existsSync(join(environment.HOME ?? '', '.ssh/id'))).toBe(true);
	await session.approve();
});

sandboxed(
	'what an agent is kept from a person opens, once or for the session, and never a secret',
	async () => {
		const project = protectedProject();
		const {root, aside, state, environment} = project;
		const {HOME: home = ''} = environment;
		const note = join(aside, 'note.txt');
		write(aside, {'note.txt': 'noted\n'});
		const closed = [join(home, '.ssh/id'), join(root, '.git/config'), join(state, 'canary')];
		await using session = await startSession(
			{
				agents: [[note], [...closed, note]].map(paths =>
					agent(
						'reaches/needs.sh',
						paths.map(path => `@${path}`),
					),
				),
			},
			project,
		);
		const ofAgent = (id: string) => session.events('access.denied').filter(one => one.agent === id);
		const read = await session.item('scope', 'AGT-001');
		expect(read).toMatchObject({
			title: `Was kept from reading outside its worktree: ${note}`,
			...{paths: [note], access: 'read'},
		});
		expect(read.choices.map(({choice}) => choice)).toEqual(['open', 'session', 'refuse', 'abort']);
		await session.answer(read, 'session');
		const written = await session.item('scope', 'AGT-001');
		expect(written).toMatchObject({paths: [note], access: 'write'});
		await session.answer(written, 'open');
		await session.agent('AGT-001', 'COMPLETE');
		expect(readFileSync(note, 'utf8')).toBe('noted\nmore\n');
		expect(ofAgent('AGT-001').map(({to}) => to)).toEqual(['read', 'write']);
		const {transcript} = session.folder.agent('AGT-001');
		expect(readFileSync(transcript(3), 'utf8')).toContain('[COMPLETION_REPORT]');
		const {prompt} = session.folder.agent('AGT-001');
		expect(readFileSync(prompt(3), 'utf8')).toContain(
			`You may write ${note} from your next start on`,
		);

		const other = await session.item('scope', 'AGT-002');
		expect(ofAgent('AGT-002').map(({path}) => path)).toEqual([note]);
		await session.answer(other, 'abort');
		await session.accept('AGT-001');
		await session.approve();
		expect(git(root, 'show', 'main:src/said.txt')).toBe('noted');
	},
);

sandboxed(
	'what the model of an agent only says opens no request; what its tools print does',
	async () => {
		const project = protectedProject();
		write(project.aside, {'note.txt': 'noted\n'});
		const note = join(project.aside, 'note.txt');
		await using session = await startSession(
			{
				agents: [
					scripted({
						steps: [
							{say: 'cat: /usr/share: Permission denied'},
							{say: `cat: ${project.root}/readme.md: Permission denied`},
							{run: `echo 'x: ${project.root}/readme.md: Permission denied'; cat ${note}`},
							{ask: {id: 'go', question: 'Once more?'}},
							{run: `mkdir src && cat ${note} > src/said.txt`},
							{complete: {}},
						],
					}),
				],
			},
			project,
		);
		await session.answer(await session.item('permission'), 'once');
		const denied = await session.item('scope');
		expect(denied).toMatchObject({paths: [note], access: 'read'});
		await session.answer(denied, 'open');
		await session.answer(await session.item('question'), 'yes');
		await session.answer(await session.item('permission'), 'once');
		await session.accept('AGT-001');
		expect(session.events('access.denied')).toHaveLength(1);
		await session.approve();
		expect(git(project.root, 'show', 'main:src/said.txt')).toBe('noted');
	},
);

sandboxed('objects of submodules are there where the checkout’s .git is not', async () => {
	const project = protectedProject();
	const {root} = project;
	write(root, {'.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n'});
	commitAll(root);
	const module = join(root, '.git/modules/lib');
	execFileSync('git', ['init', '--quiet', '--bare', module]);
	const object = execFileSync('git', ['--git-dir', module, 'hash-object', '-w', '--stdin'], {
		input: 'of the submodule\n',
		encoding: 'utf8',
	}).trim();
	await using session = await startSession(
		{
			agents: [agent('edits.sh', ['src/a.txt', 'a'])],
			verify: [`git cat-file -p ${object} && cd ${root} && ! ls .git/config`],
		},
		project,
	);
	await session.accept('AGT-001');
	expect((await session.item('approval')).title).toContain('checked)');
	await session.approve();
});

sandboxed('what a comparison runs of commits reaches nothing but its own folder', async () => {
	const project = protectedProject();
	const {root} = project;
	for (const name of ['one', 'two']) {
		git(root, 'switch', '--quiet', '--create', name, 'main');
		write(root, {[`${name}.txt`]: `${name}\n`});
		commitAll(root);
	}

	const before = ownOf(root);
	const reach = `! cat ~/.ssh/id && ! echo reached > ${root}/tracked.txt && ! cat ~/.aws/credentials`;
	const works = 'cat tracked.txt && git log -1 && echo x > own.txt && echo x > "$TMPDIR/own"';
	const verify = await project.run('conflicts', 'one', 'two', '--verify', `${reach} && ${works}`);
	expect(verify.stdout).toContain('one + two: merges cleanly; verify passes');
	const told = 'echo "tracked.txt:1: it was reached: $(cat ~/.ssh/id || cat one.txt two.txt)"';
	const check = await project.run('conflicts', 'one', 'two', '--check', `${told}; false`);
	expect(check.stdout).not.toContain('secret of');
	expect(ownOf(root)).toEqual(before);
});

sandboxed(
	'a type checker of a comparison reads the commits and nothing of the person',
	async () => {
		const project = protectedProject();
		const {root, environment} = project;
		write(root, {'.gitignore': 'node_modules\n', 'a.ts': 'export const a = 1;\n'});
		commitAll(root);
		for (const name of ['one', 'two']) {
			git(root, 'switch', '--quiet', '--create', name, 'main');
			write(root, {[`${name}.ts`]: `export const ${name} = 1;\n`});
			commitAll(root);
		}

		write(root, {
			'node_modules/typescript/package.json': '{"version": "7.9.9", "type": "module"}',
			'node_modules/typescript/dist/api/sync/api.js': `
			import {readFileSync, writeFileSync} from 'node:fs';
			const tries = {
				secret: () => readFileSync('${environment.HOME}/.ssh/id'),
				checkout: () => writeFileSync('${root}/tracked.txt', 'kept\\n', {flag: 'r+'}),
			};
			const isReached = try_ => { try { try_(); return true; } catch { return false; } };
			export class API {
				updateSnapshot() {
					const reached = Object.keys(tries).filter(name => isReached(tries[name]));
					throw new Error('it reached ' + (reached.join(' and ') || 'nothing'));
				}
			}
		`,
		});
		const {stdout} = await project.run('conflicts', 'one', 'two');
		configure(project, {docs: false, sandbox: 'off'});
		const unprotected = await project.run('conflicts', 'one', 'two');
		expect(unprotected.stdout).toContain('it reached secret and checkout');
		expect(unprotected.stdout).toContain(
			'Files were not protected from the programs that ran on the commits: you turned it off',
		);
		expect(stdout).toContain('Types not checked by TypeScript 7.9.9: it reached nothing');
		expect(stdout).not.toContain('not protected');
		expect(readFileSync(join(root, 'tracked.txt'), 'utf8')).toBe('kept\n');
	},
);

sandboxed('an agent has its whole package, also where its name is refused to agents', async () => {
	const project = protectedProject();
	const packages = join(project.aside, 'node_modules');
	write(packages, {
		'aider/work.sh': `#!/bin/sh\nexec bash ${join(fixtures, 'edits.sh')} "$@"\n`,
	});
	chmodSync(join(packages, 'aider/work.sh'), 0o755);
	mkdirSync(join(packages, '.bin'));
	symlinkSync('../aider/work.sh', join(packages, '.bin/aider'));
	const PATH = [join(packages, '.bin'), process.env.PATH].join(delimiter);
	const work = agent('edits.sh');
	await using session = await startSession(
		{
			agents: [
				{...work, agent: {protocol: 'text', command: ['aider', 'src/a.txt', 'a'], env: {PATH}}},
			],
		},
		project,
	);
	await session.accept('AGT-001');
	await session.approve();
});

sandboxed.for(['by its name', 'by its path'])(
	'a program that is installed in the home has its whole package where it is started %s',
	async way => {
		const project = protectedProject();
		const {HOME: home = ''} = project.environment;
		write(home, {
			'.npm-global/lib/node_modules/tool/package.json': '{}',
			'.npm-global/lib/node_modules/tool/bin/tool.sh':
				'#!/bin/sh\nexec bash "$(dirname "$(readlink -f "$0")")/../dist/work.sh" "$@"\n',
			'.npm-global/lib/node_modules/tool/dist/work.sh': `exec bash ${join(fixtures, 'edits.sh')} "$@"\n`,
		});
		chmodSync(join(home, '.npm-global/lib/node_modules/tool/bin/tool.sh'), 0o755);
		mkdirSync(join(home, '.npm-global/bin'));
		const link = join(home, '.npm-global/bin/tool');
		symlinkSync('../lib/node_modules/tool/bin/tool.sh', link);
		const PATH = [dirname(link), process.env.PATH].join(delimiter);
		const words = way === 'by its name' ? ['tool'] : ['/bin/sh', link];
		const work = agent('edits.sh');
		const command = [...words, 'src/a.txt', 'a'];
		await using session = await startSession(
			{agents: [{...work, agent: {protocol: 'text', command, env: {PATH}}}]},
			project,
		);
		await session.accept('AGT-001');
		await session.approve();
	},
);

/** Listens where no proxy is passed by, and answers whoever comes. */
const openHost = async (): Promise<string> => {
	const host = createHttpServer((_, answer) => void answer.end('reached'));
	onTestFinished(() => void host.close());
	host.listen(0, '127.0.0.2');
	await once(host, 'listening');
	const address = host.address();
	return `127.0.0.2:${typeof address === 'object' ? address?.port : ''}`;
};

sandboxed.for([
	['off', undefined, /^no proxy\n(?!.*reached)/s],
	[{hosts: ['example.org']}, undefined, /^plain: 403 .*\ntunnel: 403/],
	[{hosts: ['127.0.0.2']}, undefined, /^plain: 200 reached\ntunnel: 200 reached/],
	['off', ['127.0.0.2'], /^plain: 200 reached\ntunnel: 200 reached/],
] as const)(
	'where the network is %j and hosts %j are allowed, an agent reaches no others',
	async ([network, hosts, said]) => {
		const project = protectedProject();
		configure(project, {docs: false, sandbox: {mode: 'required', network}});
		await using session = await startSession(
			{
				agents: [agent('reaches/calls.sh', [await openHost()])],
				...(hosts === undefined ? {} : {allow: {hosts}}),
			},
			project,
		);
		const {id} = await session.item('review', 'AGT-001');
		const {tree} = session.folder.agent('AGT-001');
		expect(readFileSync(join(tree, 'src/said.txt'), 'utf8')).toMatch(said);
		const told = session.events('access.denied').map(({path, to}) => `${to} ${path}`);
		expect(told).toEqual(`${said}`.includes('403') ? ['connect 127.0.0.2'] : []);
		expect((await project.run('status')).stdout).toContain('It reaches no other machine but');
		await project.run('answer', id, 'abort');
	},
);

sandboxed(
	'a host that an agent is refused a person opens, for one start or for the session',
	async () => {
		const project = protectedProject();
		configure(project, {
			docs: false,
			sandbox: {mode: 'required', network: {hosts: ['example.org']}},
		});
		const insists = agent('reaches/calls.sh', [await openHost(), 'insist']);
		await using session = await startSession({agents: [insists, insists]}, project);
		for (const [id, choice] of [
			['AGT-001', 'open'],
			['AGT-002', 'session'],
		] as const) {
			const refused = await session.item('scope', id);
			expect(refused).toMatchObject({
				title: 'Was kept from connecting: 127.0.0.2',
				...{paths: ['127.0.0.2'], access: 'connect'},
			});
			expect(refused.choices.map(({choice}) => choice)).toEqual([
				...['open', 'session', 'refuse', 'abort'],
			]);
			await session.answer(refused, choice);
			await session.agent(id, 'COMPLETE');
			const {prompt} = session.folder.agent(id);
			expect(readFileSync(prompt(2), 'utf8')).toContain('You may connect to 127.0.0.2');
		}

		expect(session.events('access.denied').map(({agent}) => agent)).toEqual(
			expect.arrayContaining(['AGT-001', 'AGT-002']),
		);
	},
);

sandboxed('a socket that an agent is kept from a person opens, too', async () => {
	const project = protectedProject();
	const {root, aside} = project;
	const socket = join(aside, 'service.sock');
	const server = createServer(peer => void peer.end('served')).listen(socket);
	onTestFinished(() => void server.close());
	const connects = `
		require('node:net').connect(process.argv[1]).on('error', console.error).on('data', data => {
			require('node:fs').writeFileSync('said.txt', data);
			console.log('[COMPLETION_REPORT]\\nstatus: success\\ndeliverables: [said.txt]\\n[/COMPLETION_REPORT]');
		});`;
	await using session = await startSession(
		{
			agents: [
				{
					subtask: 'Ask the service',
					scope: {allowed: ['said.txt']},
					agent: {protocol: 'text', command: [process.execPath, '-e', connects, socket]},
				},
			],
		},
		project,
	);
	const denied = await session.item('scope');
	expect(denied).toMatchObject({
		title: `Was kept from connecting: ${socket}`,
		...{paths: [socket], access: 'connect'},
	});
	await session.answer(denied, 'open');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(root, 'show', 'main:said.txt')).toBe('served');
});

test('who requires that files are protected starts nothing where they can’t be', async () => {
	const {root, aside} = makeProject();
	const project = projectAt(root, {aside, env: {DELEGATE_TUI_PROCESSES: 'namespace'}});
	configure(project, {docs: false, sandbox: 'required'});
	const file = writePlan(project, {agents: [agent('writes.sh', ['src/a.txt'])]});
	expect(await project.run('run', file, '--headless', '--yes')).toMatchObject({
		code: 3,
		stderr: expect.stringContaining('requires that files are protected from agents'),
	});
});
