/*
Plays the demo with the packed program: `npm run test:packed`.

The package is installed from its file into an empty folder, for a person with an empty home, and removed again.
*/
import {mkdir, mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';

type Installed = {
	/** The program that a shell finds. */
	readonly program: string;
	readonly remove: () => Promise<void>;
};

/** Installs a packed file into a folder as `npm install --global` does, without the network. */
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

async function playPacked(folder: string): Promise<void> {
	const name = 'delegate-tui';
	const prefix = join(folder, 'installed');
	const home = join(folder, 'home');
	await mkdir(home);
	const env = {
		HOME: home,
		XDG_STATE_HOME: '',
		XDG_CONFIG_HOME: '',
		NODE_OPTIONS: '',
		TMPDIR: folder,
	};
	const {stdout} = await execa('npm', ['pack', '--silent', '--pack-destination', folder]);
	const file = join(folder, stdout.trim().split('\n').at(-1) ?? '');
	const {program, remove} = await installPacked(file, {name, prefix, env});
	// Npm links manual pages up to its version 11, and none from 12 on.
	const {stdout: page} = await execa(program, ['help', 'man'], {cwd: home, env});
	if (!page.startsWith('.TH DELEGATE-TUI 1')) {
		throw new Error('The package lacks its manual page.');
	}

	const at = {cwd: home, env, stdio: 'inherit'} as const;
	await execa(program, ['demo', '--headless', '--fast'], at);
	await remove();
	const left = await readdir(prefix, {recursive: true, withFileTypes: true});
	const files = left.filter(entry => !entry.isDirectory()).map(({name}) => name);
	if (files.length > 0) {
		throw new Error(`Uninstalled, and still there: ${files.join(', ')}`);
	}
}
