import {existsSync} from 'node:fs';
import {mkdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import envPaths from 'env-paths';
import {execa} from 'execa';
import type {VendorProgram} from '../../src/agents/profiles/profile.ts';
import type {AgentVendor} from '../../src/events/plan.ts';

/** Folder that keeps the programs between runs; none of them is a dependency of the project. */
export const cacheFolder = join(envPaths('delegate-tui', {suffix: ''}).cache, 'agents');

/**
Installs exactly this version of a program, unless it exists already, and returns the folder of its commands.

No install script runs, except the one without which the program is a stub. Throws with the gist of npm's error if the install fails.
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

/** Script of a package that puts its program in place, relative to `node_modules`. */
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

/** Returns the first lines of npm's long error, which contain the cause. */
const gistOf = (complaint: string): string =>
	complaint
		.split('\n')
		.slice(0, 4)
		.map(line => line.replace(/^npm error\s*/, '').trim())
		.join('; ');

/** Returns a PATH with these folders first, then that of the current Node.js. */
export const pathWith = (...folders: readonly string[]): string =>
	[...folders, dirname(process.execPath), process.env.PATH ?? ''].join(':');
