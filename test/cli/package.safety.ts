import {readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

/** An npm that reads no config of this machine and asks no registry. */
const npm = (args: readonly string[], cwd: string) =>
	execa('npm', ['--offline', '--loglevel=error', ...args], {cwd});

const temporaryFolder = async () => {
	const path = await mkdtemp(join(tmpdir(), 'package-'));
	return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
};

const launcher = resolve('bin/delegate-tui.cjs');

describe('the published package', () => {
	let folder = '';
	let remove = async () => {};

	beforeAll(async () => {
		const temporary = await temporaryFolder();
		folder = temporary.path;
		remove = () => temporary[Symbol.asyncDispose]();
		// The bundle was built before the tests; rebuilding it would take it away from under them.
		await npm(['pack', '--ignore-scripts', '--pack-destination', folder], process.cwd());
	});

	afterAll(() => remove());

	test('installs without a registry and runs, with nothing but itself', async () => {
		const {version} = JSON.parse(readFileSync('package.json', 'utf8'));
		const archive = join(folder, `delegate-tui-${version}.tgz`);
		await npm(['install', '--global', '--prefix', folder, archive], folder);
		const {stdout} = await execa(
			process.execPath,
			[join(folder, 'bin/delegate-tui'), '--version'],
			{cwd: folder},
		);
		expect(stdout).toBe(version);
	});

	test('does not carry the Node.js of a clone', async () => {
		const {stdout} = await npm(['pack', '--ignore-scripts', '--dry-run', '--json'], process.cwd());
		const [listed] = Object.values(JSON.parse(stdout));
		const names = JSON.stringify(listed);
		expect(names).toContain('bin/delegate-tui.cjs');
		expect(names).toContain('schemas/plan.schema.json');
		expect(names).not.toContain('private-node');
		expect(names).not.toContain('src/');
	});
});

describe('the launcher', () => {
	test('says which Node.js it needs and exits with 3 on an older one', async () => {
		await using folder = await temporaryFolder();
		const pretend = join(folder.path, 'pretend.cjs');
		await writeFile(
			pretend,
			`Object.defineProperty(process, 'versions', {value: {node: '20.11.0'}});
			Object.defineProperty(process, 'version', {value: 'v20.11.0'});`,
		);
		const result = await execa(process.execPath, ['--require', pretend, launcher], {reject: false});
		expect(result.exitCode).toBe(3);
		expect(result.stderr).toContain('needs Node.js 22.13 or newer; this is v20.11.0');
		expect(result.stderr).toContain('Hint: ');
	});
});
