/*
Breaks the code on purpose, one place at a time, and checks that the fast tests notice: `npm run test:mutation [-- --only FILE]`.

Stryker is downloaded for the run, since it is larger than all other dependencies, and works on a copy. The run fails if fewer than 85 % are noticed, or if a survivor has no reason in `mutation/survivors.yaml`.
*/
import {cp, mkdtemp, readFile, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {parseArgs} from 'node:util';
import {execa} from 'execa';
import {parse} from 'yaml';
import {readReport} from './mutation/report.ts';
import {judge, survivorsSchema} from './mutation/survivors.ts';

const {values} = parseArgs({options: {only: {type: 'string'}}});
const version = '10.1.1';
const leastPercent = 85;
const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-mutation-'));
try {
	for (const name of ['package.json', 'src', 'test', 'scripts']) {
		await cp(join(root, name), join(folder, name), {recursive: true});
	}

	await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
	const packages = ['core', 'vitest-runner'].map(name => `@stryker-mutator/${name}@${version}`);
	const only = values.only === undefined ? '' : ` --mutate ${values.only}`;
	const command = `stryker run scripts/mutation/stryker.config.json${only}`;
	const {exitCode} = await execa(
		'npx',
		['--yes', ...packages.flatMap(name => ['--package', name]), '--call', command],
		{
			cwd: folder,
			stdio: 'inherit',
			reject: false,
			// The Node.js that runs this, not one that is installed beside it.
			env: {PATH: [dirname(process.execPath), process.env.PATH].join(delimiter)},
		},
	);
	process.exitCode = exitCode === 0 ? await tell(folder) : 1;
} finally {
	await rm(folder, {recursive: true, force: true});
}

/** Prints the noticed and surviving mutants; returns the exit code. */
async function tell(scratch: string): Promise<number> {
	const report = readReport(await readFile(join(scratch, 'mutation.json'), 'utf8'));
	const reasons = await readFile(join(root, 'scripts/mutation/survivors.yaml'), 'utf8');
	const {text, isGood} = judge(report, survivorsSchema.parse(parse(reasons)), leastPercent);
	console.log(text);
	return isGood ? 0 : 1;
}
