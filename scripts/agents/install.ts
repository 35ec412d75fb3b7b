import {existsSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import envPaths from 'env-paths';
import {execa} from 'execa';
import type {VendorProgram} from '../../src/agents/profiles/profile.ts';
import type {AgentVendor} from '../../src/events/plan.ts';

/** Where the programs are kept from one run to the next; none of them is a dependency of the project. */
export const cacheFolder = join(envPaths('delegate-tui', {suffix: ''}).cache, 'agents');

/**
Installs exactly this version of a program, unless it is there already, and returns the folder of its commands.

No install scripts are run but the one without which its program is a stub. Throws with the gist of what npm says when it can't be installed.
*/
export const install = async (vendor: AgentVendor, program: VendorProgram): Promise<string> => {
	const folder = join(cacheFolder, `${vendor}-${program.version}`);
	const commands = join(folder, 'node_modules', '.bin');
	if (existsSync(join(commands, program.command[0] ?? ''))) {
		return commands;
	}

	await rm(folder, {recursive: true, force: true});
	await mkdir(folder, {recursive: true});
	const wanted = `${program.package}@${program.version}`;
	const {failed, stderr} = await execa({
		cwd: folder,
		env: {PATH: pathWith()},
		reject: false,
	})`npm ${[
		'install',
		'--prefix=.',
		'--ignore-scripts',
		'--no-audit',
		'--no-fund',
		'--loglevel=error',
		wanted,
	]}`;
	if (failed) {
		await rm(folder, {recursive: true, force: true});
		throw new Error(`npm could not install ${wanted}: ${gistOf(stderr)}`);
	}

	await settle(vendor, folder);
	return commands;
};

/** The script of a package that puts its program in place, from the folder of packages. */
const placing: Partial<Record<AgentVendor, string>> = {opencode: 'opencode-ai/postinstall.mjs'};

const settle = async (vendor: AgentVendor, folder: string): Promise<void> => {
	const script = placing[vendor];
	if (script === undefined) {
		return;
	}

	const {failed, stderr} = await execa(process.execPath, [join(folder, 'node_modules', script)], {
		cwd: folder,
		reject: false,
	});
	if (failed) {
		await rm(folder, {recursive: true, force: true});
		throw new Error(`${script} could not put the program in place: ${gistOf(stderr)}`);
	}
};

/** What npm says is long, and its first lines hold the cause. */
const gistOf = (complaint: string): string =>
	complaint
		.split('\n')
		.slice(0, 4)
		.map(line => line.replace(/^npm error\s*/, '').trim())
		.join('; ');

/** Returns a PATH with these folders first, and the Node.js that runs this before any other. */
export const pathWith = (...folders: readonly string[]): string =>
	[...folders, dirname(process.execPath), process.env.PATH ?? ''].join(':');
