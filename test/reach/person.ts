import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {createServer as createNetServer, type Server} from 'node:net';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {spawn as openTerminal} from '@lydell/node-pty';
import {onTestFinished} from 'vitest';
import {program} from '../helpers/project.ts';
import {removeAll, temporaryFolder, write} from '../helpers/repository.ts';
import {
	makeUserProject,
	type User,
	type UserProject,
} from '../safety/decision-matrix/user-project.ts';
import type {Places} from './canaries.ts';
import {type Probe, scriptsOf} from './probes.ts';

/** Somebody with a repository, a remote, secrets, and programs that run and listen. */
export type Victim = {
	readonly project: UserProject;
	readonly places: Places;
	/** Names of the probes that programs of theirs were called by. */
	readonly heard: ReadonlySet<string>;
};

/** Makes a person whom agents of theirs can do harm. */
export const makeVictim = async (
	user: User,
	probes: readonly Probe[],
	sandbox: 'required' | 'off',
): Promise<Victim> => {
	const outer = temporaryFolder();
	const [elsewhere, sockets, run, onpath, remote] = [
		'elsewhere',
		'sockets',
		'run',
		'bin',
		'remote.git',
	].map(name => join(outer, name)) as [string, string, string, string, string];
	const [variable, shared] = [folderIn('/var/tmp'), folderIn('/dev/shm')];
	for (const folder of [elsewhere, sockets, run, onpath]) {
		mkdirSync(folder, {mode: 0o700});
	}

	const project = makeUserProject(user, {
		files: {
			'tracked.txt': 'kept\n',
			'.delegate-tui.yaml': `docs: false\nlimits: {stagger: 0s}\nsandbox: ${sandbox}\n`,
			...scriptsOf(probes),
			...Object.fromEntries(forbiddenFiles.map(path => [path, 'kept\n'])),
		},
		env: {
			DELEGATE_TUI_PROCESSES: '',
			XDG_RUNTIME_DIR: run,
			SSH_AUTH_SOCK: join(sockets, 'by-variable.sock'),
			CANARY_SECRET: 'secret of your environment',
			PATH: `${process.env.PATH}:${onpath}`,
		},
	});
	const {root, state, environment} = project;
	const {HOME: person = '', TMPDIR: runtime = '', XDG_CONFIG_HOME: config = ''} = environment;
	const abstract = `delegate-tui-canary-${process.pid}`;
	const own = {elsewhere, sockets, run, onpath, remote, variable, shared};
	user.own(outer);
	user.own(variable);
	user.own(shared);
	const places = {
		...{root, state, person, runtime, config, abstract, ...own},
		...{node: process.execPath, program},
	};
	const stash = makeGit(user, places);
	const heard = new Set<string>();
	const port = await listen(probes, places, heard);
	for (const folder of [outer, person, root, state, runtime]) {
		user.own(folder);
	}

	return {
		project,
		heard,
		places: {
			...places,
			port,
			stash,
			terminal: watchTerminal(elsewhere),
			...(await runProgram(user, places)),
		},
	};
};

const forbiddenFiles = [
	...['file', 'removed', 'in-place', 'mode', 'hard', 'by-link', 'by-root', 'by-git'].map(
		name => `closed/${name}.txt`,
	),
	...['deep/er/closed/file.txt', 'around/closed/file.txt', 'closed.txt'],
];

const folderIn = (parent: string): string => {
	const folder = realpathSync(mkdtempSync(join(parent, 'delegate-reach-')));
	onTestFinished(() => removeAll(folder));
	return folder;
};

/** Gives them a remote, and what else a repository in use holds; returns the commit of a stash. */
const makeGit = (user: User, {root = '', remote = ''}: Places): string => {
	const script = `
		git init --quiet --bare "$remote" && git remote add origin "$remote" && git push --quiet origin main
		git branch canary-moved && git branch canary-removed
		echo "secret in your stash" > tracked.txt && git stash --quiet
		git config credential.helper '!echo password=canary-token #'
		git rev-parse stash`;
	const [command = '', ...words] = [...user.prefix, 'bash', '-ec', script];
	const env = {...process.env, remote};
	return execFileSync(command, words, {cwd: root, env, encoding: 'utf8'}).trim();
};

/** Listens wherever a probe is to be heard; returns the port that it listens on, too. */
const listen = async (
	probes: readonly Probe[],
	places: Places,
	heard: Set<string>,
): Promise<string> => {
	const open = async (where: string | number): Promise<Server> => {
		const server = createNetServer(peer => {
			peer.on('error', () => {});
			peer.setEncoding('utf8').on('data', name => heard.add(String(name)));
		});
		onTestFinished(() => void server.close());
		server.listen(typeof where === 'number' ? {port: where, host: '127.0.0.1'} : {path: where});
		await once(server, 'listening');
		return server;
	};

	for (const {canary} of probes.filter(({kind}) => kind === 'hears')) {
		const path = canary.replaceAll(/\$(\w+)/g, (_, name) => places[name] ?? '');
		if (path.startsWith('@')) {
			await open(path.replace('@', '\0'));
		} else if (path !== 'port') {
			mkdirSync(dirname(path), {recursive: true});
			await open(path);
			chmodSync(path, 0o777);
		}
	}

	const address = (await open(0)).address();
	return String(typeof address === 'object' ? address?.port : address);
};

/** Opens a terminal of the person's, and keeps what somebody else writes onto it. */
const watchTerminal = (elsewhere: string): string => {
	const terminal = openTerminal('cat', [], {});
	const file = join(elsewhere, 'terminal.txt');
	writeFileSync(file, '');
	terminal.onData(text => text.includes('reached') && writeFileSync(file, 'reached\n'));
	onTestFinished(() => terminal.kill());
	return file;
};

/** Starts a program of theirs with secrets in all that a process has; returns its id, and that of a key that it keeps. */
const runProgram = async (user: User, {elsewhere = ''}: Places): Promise<Places> => {
	write(elsewhere, {'open.txt': 'secret in an open file\n'});
	const script = `
		$| = 1;
		my $held = join "-", ("canary", "held", "x" x 100000);
		my $key = syscall(248, my $type = "user\\0", my $name = "delegate-tui-canary\\0", my $text = "secret in a ring of keys", 24, -4);
		$0 = "canary-victim with a secret in an argument";
		print "$$ $key\\n";
		sleep 600 while 1;`;
	const words = ['-c', 'exec perl -e "$1" 9< "$2"', 'sh', script, join(elsewhere, 'open.txt')];
	const [command = '', ...more] = [...user.prefix, 'sh', ...words];
	const child: ChildProcess = spawn(command, more, {
		env: {...process.env, CANARY_KEY: 'secret of a process'},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const [line] = await once(createInterface({input: child.stdout ?? process.stdin}), 'line');
	const [victim = '', key = ''] = String(line).split(' ');
	return {victim, key};
};
