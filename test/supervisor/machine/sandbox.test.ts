import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	renameSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join, relative} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {codex} from '../../../src/agents/profiles/codex.ts';
import {gemini} from '../../../src/agents/profiles/gemini.ts';
import {opencode} from '../../../src/agents/profiles/opencode.ts';
import {
	type Containment,
	findContainment,
	groupsContainment,
} from '../../../src/lib/process/containment.ts';
import {findSeatbelt} from '../../../src/lib/process/try-seatbelt.ts';
import {linkedLogin, prepareBox} from '../../../src/supervisor/machine/box-for.ts';
import {openable} from '../../../src/supervisor/machine/openable.ts';
import {
	requireFileSandbox,
	sandboxed,
	sandboxOf,
	whyUnprotected,
} from '../../../src/supervisor/machine/sandbox.ts';
import {filesBelow, temporaryFolder} from '../../helpers/repository.ts';
import {byBubblewrap, sandboxExec} from '../../helpers/seatbelt.ts';

const containment = await findContainment();

/** Whether what is forbidden can be made read-only here. */
const closes = 'program' in containment.fileSandbox && !containment.fileSandbox.closesNothing;

/** Protected as on macOS, by a program that stands in for its own. */
const bySeatbelt = (): Containment => ({
	...groupsContainment('for a test'),
	fileSandbox: {program: sandboxExec(byBubblewrap), by: 'Seatbelt'},
});

test('nothing that could hold a secret, or that a person’s programs run, is opened for what tools print', () => {
	const aside = temporaryFolder();
	const [home, tree, checkout, project] = ['home', 'tree', 'checkout', 'project'].map(name =>
		join(aside, name),
	) as [string, string, string, string];
	for (const path of [
		...['.config/tool/settings', '.npmrc', '.bashrc', 'bin/tool', 'notes/note.txt'].map(name =>
			join(home, name),
		),
		...[tree, checkout, project].flatMap(root => [
			join(root, '.git/config'),
			join(root, '.env'),
			join(root, 'src/a.txt'),
		]),
	]) {
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, '');
	}

	symlinkSync(join(home, '.config'), join(home, 'notes/settings'));
	const environment = {HOME: home, PATH: `/usr/bin:${join(home, 'bin')}`};
	const opened = (to: 'read' | 'write') =>
		[
			...['.config', '.npmrc', '.bashrc', 'new.txt', 'bin/tool', 'bin/new'].map(name =>
				join(home, name),
			),
			...['notes', 'notes/note.txt', 'notes/new.txt', 'notes/settings/tool/settings'].map(name =>
				join(home, name),
			),
			...[tree, checkout, project].flatMap(root => [
				join(root, '.git/config'),
				join(root, '.env'),
				join(root, 'src/a.txt'),
				join(root, 'src/new.txt'),
			]),
		].flatMap(path => openable({path, to}, {tree, checkout, environment}) ?? []);
	expect(opened('read')).toEqual([
		...['bin/tool', 'notes', 'notes/note.txt'].map(name => join(home, name)),
		...[checkout, project].map(root => join(root, 'src/a.txt')),
	]);
	expect(opened('write')).toEqual(
		['notes', 'notes/note.txt', 'notes'].map(name => join(home, name)),
	);
});

test('git’s settings of the person are seen, also where a variable names their file', async () => {
	const aside = temporaryFolder();
	const [home, tree] = [join(aside, 'home'), join(aside, 'agent/tree')];
	const files = ['.gitconfig', 'dotfiles/gitconfig'].map(name => join(home, name));
	for (const path of [...files, join(tree, 'a.txt')]) {
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, '');
	}

	const box = await prepareBox({
		...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
		environment: {HOME: home, PATH: '/usr/bin', GIT_CONFIG_GLOBAL: files[1]},
	});
	const seen = box.flatMap(({path, as}) => (as === 'seen' ? [path] : []));
	expect(seen).toEqual(expect.arrayContaining(files));
});

test('a socket is opened that is no secret and belongs to no service of the system, and no file in its place', async () => {
	const aside = temporaryFolder();
	const [open, hidden, file] = ['db.sock', '.private.sock', 'db.txt'].map(name =>
		join(aside, name),
	) as [string, string, string];
	for (const path of [open, hidden]) {
		const server = createServer().listen(path);
		onTestFinished(() => void server.close());
		await once(server, 'listening');
	}

	writeFileSync(file, '');
	const place = {tree: join(aside, 'tree'), environment: {HOME: join(aside, 'home')}};
	const to = 'connect';
	expect([open, hidden, file].map(path => openable({path, to}, place))).toEqual([
		...[open, undefined, undefined],
	]);
	expect(openable({path: open, to: 'read'}, place)).toBeUndefined();
});

test
	.skipIf('missing' in containment.fileSandbox)
	.each([[[]], [['~/.local']], [['~/.local/state']]])(
	'an agent sees what it starts with, and no other work, while it may read %j',
	async read => {
		const home = temporaryFolder();
		const state = join(home, '.local/state/delegate-tui');
		const agent = join(state, 'repository/DEL-1/AGT-001');
		const [tree, launch, lender, other] = [
			join(agent, 'tree'),
			join(agent, 'launch'),
			join(state, 'repository/store.git/objects'),
			join(state, 'repository/DEL-1/AGT-002'),
		];
		for (const folder of [tree, launch, lender, other, join(home, '.local/share')]) {
			mkdirSync(folder, {recursive: true});
			writeFileSync(join(folder, 'file'), `${folder}\n`);
		}

		vi.stubEnv('DELEGATE_TUI_STATE', state);
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [lender], caches: join(state, 'repository/caches'), commands: []},
			environment: {HOME: home, PATH: process.env.PATH},
			allow: {read},
			more: [{path: launch, as: 'seen'}],
		});
		const [bwrap = '', ...words] = prefix;
		const seen = (folder: string): boolean => {
			const script = `cat ${join(folder, 'file')} 2>/dev/null || true`;
			const told = execFileSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree});
			return `${told}`.trim() === folder;
		};
		expect([tree, launch, lender].map(seen)).toEqual([true, true, true]);
		expect(seen(other)).toBe(false);
		expect(seen(join(home, '.local/share'))).toBe(read.includes('~/.local'));
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'what package managers download is there for all agents, whatever one of them made a link of',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const caches = join(aside, 'caches');
		const started = async (name: string, script: string) => {
			const tree = join(aside, name, 'tree');
			mkdirSync(tree, {recursive: true});
			const {prefix} = await sandboxed(containment, undefined, {
				...{tree, lenders: [], caches, commands: [], more: []},
				environment: {HOME: home, PATH: process.env.PATH},
				allow: {write: [join(home, '.cache/models')]},
			});
			const [bwrap = '', ...words] = prefix;
			const options = {cwd: tree, env: {HOME: home, PATH: process.env.PATH}};
			return `${execFileSync(bwrap, [...words, 'sh', '-c', script], options)}`;
		};
		mkdirSync(join(home, '.cache/models'), {recursive: true});
		const places = ['.npm', '.cache', 'go/pkg/mod', '.m2/repository'].map(name => `~/${name}`);
		await started('one', places.map(place => `echo kept > ${place}/file`).join(' && '));
		const read = `cat ${places.map(place => `${place}/file`).join(' ')}`;
		expect(await started('two', read)).toBe('kept\n'.repeat(4));

		const outside = join(aside, 'outside');
		const astray = `rm -rf ~/go ${caches}/.npm && ln -s ${outside} ~/go && ln -s ${outside} ${caches}/.npm`;
		await started('one', astray);
		for (const name of ['one', 'two']) {
			expect(await started(name, 'echo again > ~/.npm/file && cat ~/go/pkg/mod/file')).toBe(
				'kept\n',
			);
		}

		expect(existsSync(outside)).toBe(false);
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'a file of which each agent gets a copy is copied into its home, whatever the agent made a link of',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const [tree, outside] = [join(aside, 'tree'), join(aside, 'outside')];
		const file = '.config/opencode/package.json';
		mkdirSync(join(home, dirname(file)), {recursive: true});
		writeFileSync(join(home, file), 'a person’s');
		for (const folder of [tree, outside]) {
			mkdirSync(folder);
		}

		const environment = {HOME: home, PATH: process.env.PATH};
		const prepared = (isInUse = false) =>
			sandboxed(containment, undefined, {
				...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
				...{environment, profile: opencode, isInUse},
			});
		const started = async (script: string) => {
			const {prefix} = await prepared();
			const [bwrap = '', ...words] = prefix;
			return `${execFileSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree, env: environment})}`;
		};
		const astray = `rm -rf ~/.config && ln -s ${outside} ~/.config`;
		expect(await started(`cat ~/${file}; ${astray}`)).toBe('a person’s');
		expect(await started(`cat ~/${file}`)).toBe('a person’s');
		await started(astray);
		await prepared(true);
		expect(readlinkSync(join(aside, 'home/.config'))).toBe(outside);
		expect(readdirSync(outside)).toEqual([]);
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'a link that an agent made in the place of a login shows nothing',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const tree = join(aside, 'tree');
		for (const folder of [tree, join(home, '.ssh')]) {
			mkdirSync(folder);
		}

		writeFileSync(join(home, '.ssh/id'), 'secret');
		const environment = {HOME: home, PATH: process.env.PATH};
		const started = async (script: string) => {
			const {prefix} = await sandboxed(containment, undefined, {
				...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
				...{environment, profile: opencode},
			});
			const [bwrap = '', ...words] = prefix;
			const options = {cwd: tree, env: environment, encoding: 'utf8'} as const;
			return spawnSync(bwrap, [...words, 'sh', '-c', script], options).stdout;
		};
		const login = '~/.local/share/opencode/auth.json';
		expect(linkedLogin(opencode, environment)).toBe(undefined);
		expect(await started(`ln -s ../../../.ssh/id ${login}; echo made`)).toBe('made\n');
		expect(linkedLogin(opencode, environment)).toBe(login.replace('~', home));
		expect(await started(`cat ${login} ~/.ssh/id; echo started`)).toBe('started\n');
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'a link that an agent made in a folder that it may write shows nothing, though the path may be read',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const hidden = realpathSync(temporaryFolder());
		const [tree, data] = [join(aside, 'tree'), realpathSync(temporaryFolder())];
		for (const [folder, text] of [
			[hidden, 'secret'],
			[join(data, 'a/raw'), 'raw'],
		] as const) {
			mkdirSync(folder, {recursive: true});
			writeFileSync(join(folder, 'file'), text);
		}

		mkdirSync(tree);
		const environment = {HOME: home, PATH: process.env.PATH};
		const started = async (script: string) => {
			const {prefix} = await sandboxed(containment, undefined, {
				...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
				...{environment, allow: {write: [data], read: [join(data, 'a/raw')]}},
			});
			const [bwrap = '', ...words] = prefix;
			const options = {cwd: tree, env: environment, encoding: 'utf8'} as const;
			return spawnSync(bwrap, [...words, 'sh', '-c', script], options).stdout;
		};
		const astray = `mv ${data}/a ${data}/b; mkdir ${data}/a; ln -s ${relative(join(data, 'a'), hidden)} ${data}/a/raw`;
		expect(await started(`cat ${data}/a/raw/file; ${astray}`)).toBe('raw');
		expect(await started(`cat ${hidden}/file ${data}/a/raw/file ${data}/b/raw/file`)).toBe('raw');
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'a link that another agent makes of a path once a box is prepared leads nowhere',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const tree = join(aside, 'tree');
		mkdirSync(tree);
		const [data, secret] = [temporaryFolder(), join(home, '.ssh/id')];
		const [write, read] = [join(data, 'in/write'), join(data, 'in/read')];
		const login = join(home, '.local/share/opencode/auth.json');
		for (const path of [secret, write, read, login]) {
			mkdirSync(dirname(path), {recursive: true});
			writeFileSync(path, 'person');
		}

		const environment = {HOME: home, PATH: process.env.PATH};
		const prepared = async () => {
			const {prefix} = await sandboxed(containment, undefined, {
				...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
				...{environment, profile: opencode, allow: {write: [data, write], read: [read]}},
			});
			const [bwrap = '', ...words] = prefix;
			const options = {cwd: tree, env: environment, encoding: 'utf8'} as const;
			return (script: string) => spawnSync(bwrap, [...words, 'sh', '-c', script], options).stdout;
		};
		const first = await prepared();
		first(`mkdir ~/.ssh; echo own > ~/.ssh/id; echo agent | tee ${read} ${write} ${login}`);
		expect([read, write, login].map(path => readFileSync(path, 'utf8'))).toEqual([
			...['person', 'agent\n', 'agent\n'],
		]);
		for (const [path, said] of [
			[write, 'own\n'],
			[login, 'own\n'],
			// It doesn't start.
			[read, ''],
		] as const) {
			const next = await prepared();
			renameSync(path, `${path}.away`);
			symlinkSync(relative(dirname(path), secret), path);
			expect(next('cat ~/.ssh/id'), path).toBe(said);
			renameSync(`${path}.away`, path);
		}
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'nothing is mounted from a folder that an agent sees whole, where it could make a link of it meanwhile',
	async () => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const [caches, tree] = [join(aside, 'caches'), join(aside, 'one/tree')];
		for (const folder of [
			tree,
			join(home, '.local/share/pnpm/store'),
			join(home, '.cache/models'),
		]) {
			mkdirSync(folder, {recursive: true});
		}

		mkdirSync(caches);
		writeFileSync(join(caches, '.npm'), 'no folder');
		const environment = {HOME: home, PATH: process.env.PATH};
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [], caches, commands: [], more: [], environment},
			allow: {write: [join(home, '.cache/models')]},
		});
		expect(prefix).toContain(caches);
		expect(prefix.filter(word => word.startsWith(`${caches}/`))).toEqual([]);
		const [bwrap = '', ...words] = prefix;
		const names = ['.npm', '.local/share/pnpm/store', '.cache'].map(name => `~/${name}`);
		const script = names.map(name => `echo kept > ${name}/file && cat ${name}/file`).join(' && ');
		const said = execFileSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree, env: environment});
		expect(`${said}`).toBe('kept\n'.repeat(3));
	},
);

test.skipIf('missing' in containment.fileSandbox).each([
	['.local/share/opencode/opencode.db', '.local/share/opencode/snapshot/id/config', opencode],
	['.local/share/opencode/storage/id.json', '.local/share/opencode/bin/rg', opencode],
	['.gemini/tmp/id/chats/chat.json', '.gemini/tmp/bin/rg', gemini],
	['.gemini/oauth_creds.json', '.gemini/.env', gemini],
])(
	'an agent keeps %s, and not %s, of which a person’s own program starts what it names',
	async (kept, apart, profile) => {
		const home = temporaryFolder();
		const aside = temporaryFolder();
		const tree = join(aside, 'tree');
		mkdirSync(tree);
		const both = [kept, apart].map(name => join(home, name));
		for (const path of both) {
			mkdirSync(dirname(path), {recursive: true});
			writeFileSync(path, 'person');
		}

		const environment = {HOME: home, PATH: process.env.PATH};
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: []},
			...{environment, profile},
		});
		const [bwrap = '', ...words] = prefix;
		const script = both.map(path => `mkdir -p ${dirname(path)}; echo agent > ${path}`).join('; ');
		spawnSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree, env: environment});
		expect(both.map(path => readFileSync(path, 'utf8'))).toEqual(['agent\n', 'person']);
	},
);

test
	.skipIf('missing' in containment.fileSandbox)
	.each([
		...['//', '/./', '/usr/..', '/proc', '/proc/self', '/proc/self/root', '/dev', '/dev/pts'],
		...['$HOME/', '$HOME/.ssh/', '$HOME/../keys', '$HOME/../keys/id', '$PWD/note', './note'],
		'packages/a/package.json',
	])(
	'the word %s of a command opens neither the disk, nor secrets, nor what a link leads to, and closes nothing',
	async word => {
		const aside = temporaryFolder();
		const [home, tree] = [join(aside, 'home'), join(aside, 'agent/tree')];
		const secrets = [join(home, '.ssh/id'), join(home, 'notes.txt')] as const;
		for (const path of [...secrets, join(tree, 'packages/a/package.json')]) {
			mkdirSync(dirname(path), {recursive: true});
			writeFileSync(path, 'canary\n');
		}

		symlinkSync(secrets[1], join(tree, 'note'));
		symlinkSync(join(home, '.ssh'), join(aside, 'keys'));
		const path = word.replace('$HOME', home).replace('$PWD', tree);
		const environment = {HOME: home, PATH: `${path}:${process.env.PATH}`};
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [], caches: join(aside, 'caches'), more: [], environment},
			commands: [
				['sh', '-c', `: ${path}`],
				['cat', path],
			],
		});
		const [bwrap = '', ...rest] = prefix;
		const closed = [...secrets, join(aside, 'keys/id'), `/proc/${process.pid}/environ`];
		const script = `cat note ${closed.join(' ')}; echo own > packages/a/new && cat packages/a/new`;
		const options = {cwd: tree, env: environment, encoding: 'utf8'} as const;
		expect(spawnSync(bwrap, [...rest, 'sh', '-c', script], options).stdout).toBe('own\n');
	},
);

/** Makes a worktree with what is forbidden in it, beside a canary, and starts commands there. */
const withForbidden = (closing: Containment = containment, isLinked = false) => {
	const real = temporaryFolder();
	const link = join(temporaryFolder(), 'link');
	symlinkSync(real, link);
	const aside = isLinked ? link : real;
	const [tree, outside, home] = ['agent/tree', 'outside', 'home'].map(name =>
		join(aside, name),
	) as [...[string, string, string]];
	for (const path of ['closed/file', 'deep/er/closed/file', 'closed.txt', 'open/file'].map(name =>
		join(tree, name),
	)) {
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, 'kept\n');
	}

	mkdirSync(join(outside, 'closed'), {recursive: true});
	for (const name of ['file', 'closed/file', 'closed.txt']) {
		writeFileSync(join(outside, name), 'canary\n');
	}

	const environment = {HOME: home, PATH: process.env.PATH};
	const forbidden = [
		...['closed', 'closed/in/it', 'deep/er/closed', 'closed.txt', 'link', 'unreadable', 'nowhere'],
	];
	const prefix = async () =>
		(
			await sandboxed(closing, undefined, {
				...{tree, lenders: [], caches: join(aside, 'caches'), commands: [], more: [], forbidden},
				environment,
			})
		).prefix;
	const run = async (script: string): Promise<string> => {
		const [program = '', ...words] = await prefix();
		const {stdout} = spawnSync(program, [...words, 'sh', '-c', `exec 2>&1; ${script}`], {
			...{cwd: tree, env: environment, encoding: 'utf8'},
		});
		return stdout;
	};
	return {tree, outside, prefix, run};
};

const closers: readonly (readonly [string, () => Containment, boolean])[] = [
	['bubblewrap', () => containment, false],
	['bubblewrap, behind a link', () => containment, true],
	['Seatbelt', bySeatbelt, false],
];

test.runIf(closes).each(closers)(
	'what is forbidden in a worktree is read there and not written, by %s',
	async (_, closing, isLinked) => {
		const {tree, outside, run} = withForbidden(closing(), isLinked);
		symlinkSync(join(outside, 'closed'), join(tree, 'link'));
		mkdirSync(join(tree, 'unreadable'), {mode: 0});
		const names = ['closed/file', 'deep/er/closed/file', 'closed.txt'];
		expect(await run(`cat ${names.join(' ')}`)).toBe('kept\n'.repeat(3));
		const tries = names.map(name => `echo reached > ${name}; rm -f ${name}; chmod 777 ${name}`);
		await run(`${tries.join('; ')}; mv closed away; rm -rf closed; cp open/file closed/new`);
		await run('ln closed/file open/linked && echo reached > open/linked; ln -sfn open closed');
		expect(names.map(name => readFileSync(join(tree, name), 'utf8'))).toEqual(
			names.map(() => 'kept\n'),
		);
		expect(readdirSync(join(tree, 'closed'))).toEqual(['file']);
		expect(await run('mv open/file open/moved && cat open/moved; cat link/file')).toMatch(
			/^kept\n(?!canary)/,
		);
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'what is forbidden is left alone by a bubblewrap that can’t mount what is open, and that is said',
	async () => {
		const {fileSandbox} = containment;
		const older = {...containment, fileSandbox: {...fileSandbox, closesNothing: true}} as const;
		const {run} = withForbidden(older as Containment);
		expect(await run('echo more >> closed/file && cat closed/file')).toBe('kept\nmore\n');
		expect(sandboxOf(older as Containment).why).toContain('a newer bubblewrap');
	},
);

test.runIf(closes)(
	'what is forbidden leads to nothing outside, whatever becomes of it and of the way to it while a process starts',
	async () => {
		const {tree, outside, run} = withForbidden();
		const canaries = filesBelow(outside);
		const swap = (name: string, to: string) =>
			`mv ${name} away; ln -s ${to} ${name}; rm ${name}; mv away ${name}`;
		const swaps = [
			swap('closed', join(outside, 'closed')),
			swap('closed.txt', join(outside, 'closed.txt')),
			swap('deep/er', outside),
		].join('; ');
		const script = `echo; while :; do ${swaps}; done`;
		const swapping = spawn('sh', ['-c', script], {cwd: tree, detached: true});
		const gone = once(swapping, 'exit');
		onTestFinished(async () => {
			if (swapping.pid !== undefined) {
				process.kill(-swapping.pid, 'SIGKILL');
				await gone;
			}
		});
		await once(swapping.stdout, 'data');
		const paths = 'closed/file closed.txt deep/er/closed/file';
		for (let start = 0; start < 40; start++) {
			expect(
				await run(`cat ${paths}; for file in ${paths}; do echo x > $file; done`),
			).not.toContain('canary');
		}

		expect(filesBelow(outside)).toEqual(canaries);
	},
);

test.runIf(closes)(
	'nothing starts where what is forbidden became a link before it could be mounted',
	async () => {
		const {tree, outside, prefix} = withForbidden();
		const [program = '', ...words] = await prefix();
		renameSync(join(tree, 'deep/er'), join(tree, 'away'));
		symlinkSync(outside, join(tree, 'deep/er'));
		const {status, stdout, stderr} = spawnSync(program, [...words, 'cat', 'deep/er/file'], {
			...{cwd: tree, encoding: 'utf8'},
		});
		expect([status, stdout]).toEqual([1, '']);
		expect(stderr).toContain('A path that is forbidden was moved meanwhile');
	},
);

test.runIf(closes)(
	'what is forbidden is still read-only where it was made anew before it could be mounted',
	async () => {
		const {tree, prefix} = withForbidden();
		const [program = '', ...words] = await prefix();
		renameSync(join(tree, 'closed'), join(tree, 'away'));
		mkdirSync(join(tree, 'closed'));
		writeFileSync(join(tree, 'closed/file'), 'made anew\n');
		const script = 'cat closed/file; echo changed > closed/file';
		const {stdout} = spawnSync(program, [...words, 'sh', '-c', script], {
			...{cwd: tree, encoding: 'utf8'},
		});
		expect(stdout).toBe('made anew\n');
		expect(readFileSync(join(tree, 'closed/file'), 'utf8')).toBe('made anew\n');
	},
);

test.skipIf('missing' in containment.fileSandbox)(
	'where no folder can be shown in the place of another one, an agent has a home of its own by its variables, with what it needs of the person’s',
	async () => {
		const aside = temporaryFolder();
		const [home, state] = [join(aside, 'person'), join(aside, 'state')];
		const tree = join(state, 'DEL-1/AGT-001/tree');
		const files = {
			login: join(home, '.codex/auth.json'),
			tool: join(home, '.nvm/tool'),
			secret: join(home, '.ssh/id'),
			other: join(state, 'DEL-1/AGT-002/tree/file'),
			git: join(tree, '.git'),
		};
		for (const [name, path] of Object.entries(files)) {
			mkdirSync(dirname(path), {recursive: true});
			writeFileSync(path, name);
		}

		vi.stubEnv('DELEGATE_TUI_STATE', state);
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		const environment = {HOME: home, PATH: process.env.PATH};
		const {prefix, level} = await sandboxed(bySeatbelt(), undefined, {
			...{tree, lenders: [], caches: join(state, 'caches'), commands: [], more: [], environment},
			profile: codex,
		});
		expect(level).toBe('groups');
		const [program = '', ...words] = prefix;
		const said = (script: string): string => {
			const told = execFileSync(program, [...words, 'sh', '-c', `{ ${script}; } 2>&1 || true`], {
				cwd: tree,
				env: environment,
			});
			return `${told}`.trim();
		};
		expect(said('cat ~/.codex/auth.json ~/.nvm/tool')).toBe('logintool');
		expect(said(`cat ${files.secret} ~/.ssh/id ${files.other}`)).not.toMatch(/secret|other/);
		said('echo fresh > ~/.codex/auth.json; echo own > ~/.profile; echo work > file; echo x > .git');
		said(`echo x > ${home}/.profile; echo x > $TMPDIR/scratch`);
		expect(readFileSync(files.login, 'utf8')).toBe('fresh\n');
		expect(readFileSync(join(tree, 'file'), 'utf8')).toBe('work\n');
		expect(readFileSync(files.git, 'utf8')).toBe('git');
		expect(existsSync(join(home, '.profile'))).toBe(false);
		const beside = dirname(tree);
		expect(readFileSync(join(beside, 'home/.profile'), 'utf8')).toBe('own\n');
		expect(existsSync(join(beside, 'tmp/scratch'))).toBe(true);
	},
);

test('where macOS’s sandbox fails its trial, that is why files count as unprotected, and why nothing starts that requires it', async () => {
	const fileSandbox = await findSeatbelt(['git', '--version'], sandboxExec('shift 2; exec "$@"'));
	const containment = {...groupsContainment('for a test'), fileSandbox};
	const why = expect.stringMatching(
		/Seatbelt fails its trial here: a program in it writes beside its worktree, .*connects to a hidden socket/,
	);
	expect(sandboxOf(containment)).toEqual({level: 'none', why});
	expect(whyUnprotected(containment)).toEqual(why);
	expect(() => requireFileSandbox(containment, undefined)).not.toThrow();
	expect(() => requireFileSandbox(containment, {mode: 'required'})).toThrow(
		expect.objectContaining({kind: 'missing', message: why}),
	);
});
