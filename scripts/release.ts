/*
Makes a release: `npm run release -- 1.2.0`.

The changelog's unreleased part gets the version and today's date, the package is packed, installed from that file into an empty folder and started there; then both files are committed and tagged. Nothing leaves the machine: pushing and publishing are left to a person, for whom the commands are printed.
*/
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {execa} from 'execa';
import {installPacked} from './packed.ts';

type Release = {
	/** Checkout to release. */
	readonly root: string;
	/** Version, such as `1.2.0`. */
	readonly version: string;
	/** Date, such as `2026-11-28`. */
	readonly date: string;
};

/**
Releases a version from a clean checkout, and returns the path of the packed file.

@throws If the version is not newer, the checkout is not clean, nothing is unreleased, or the packed program does not start. The checkout is then unchanged.
*/
export const release = async ({root, version, date}: Release): Promise<string> => {
	const run = (command: string, ...args: readonly string[]) => execa(command, args, {cwd: root});
	const {name, version: before} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	if (!isNewer(version, before)) {
		throw new Error(`${version} is no version after ${before}.`);
	}

	const {stdout: changes} = await run('git', 'status', '--porcelain');
	if (changes !== '') {
		throw new Error(`Commit or stash first:\n${changes}`);
	}

	const path = join(root, 'CHANGELOG.md');
	const changelog = releasedChangelog(await readFile(path, 'utf8'), {version, date});
	const packed = await mkdtemp(join(tmpdir(), `${name}-`));
	try {
		await writeFile(path, changelog);
		await run('npm', 'version', '--no-git-tag-version', version);
		await run('npm', 'pack', '--pack-destination', packed);
		const file = join(packed, `${name}-${version}.tgz`);
		await requireStart(file, {name, version, prefix: join(packed, 'installed')});
		await run('git', 'commit', '--all', '--message', `Release ${version}`);
		await run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
		return file;
	} catch (error) {
		await run('git', 'checkout', '--', '.');
		await rm(packed, {recursive: true, force: true});
		throw error;
	}
};

/** Returns the changelog with the unreleased part below a heading of the version, and an empty unreleased part. */
export const releasedChangelog = (
	changelog: string,
	{version, date}: Pick<Release, 'version' | 'date'>,
): string => {
	const [head = '', rest] = changelog.split('## Unreleased\n');
	if (rest === undefined || rest.replace(/^## .*/ms, '').trim() === '') {
		throw new Error('CHANGELOG.md has nothing unreleased.');
	}

	return `${head}## Unreleased\n\n## ${version} (${date})\n${rest}`;
};

const isNewer = (version: string, than: string): boolean => {
	const order = new Intl.Collator('en', {numeric: true});
	return /^\d+\.\d+\.\d+$/.test(version) && order.compare(version, than) > 0;
};

/** Asks the installed program for its version, like a person who has nothing else installed. */
const requireStart = async (
	file: string,
	{
		name,
		version,
		prefix,
	}: {readonly name: string; readonly version: string; readonly prefix: string},
): Promise<void> => {
	const {program} = await installPacked(file, {name, prefix});
	const {stdout} = await execa(program, ['--version'], {cwd: prefix});
	if (stdout !== version) {
		throw new Error(`The packed program says that it is ${stdout}, not ${version}.`);
	}
};

if (import.meta.main) {
	const {positionals} = parseArgs({allowPositionals: true});
	const [version = ''] = positionals;
	const root = process.cwd();
	await execa('bash', ['.ci/run'], {cwd: root, stdio: 'inherit'});
	const date = new Date().toISOString().slice(0, 10);
	const file = await release({root, version, date});
	console.log(`Packed, installed and started: ${file}`);
	console.log(`Publish it:\n  git push --follow-tags\n  npm publish ${file}`);
}
