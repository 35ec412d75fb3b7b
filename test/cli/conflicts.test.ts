import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {conflictsText} from '../../src/cli/commands/conflicts.ts';
import {makeProject, type Outcome, type Project, program, projectAt} from '../helpers/project.ts';
import {
	belongings,
	commitAll,
	type Files,
	git,
	hermeticHome,
	temporaryFolder,
	write,
} from '../helpers/repository.ts';

const base = {
	'limit.txt': 'one\ntwo\nthree\n',
	'readme.md': 'hello\n',
	'add.ts': 'export const add = (a: number) => a;\n',
	'old.ts': 'export const old: string = 1;\n',
};

/** A project whose branches each change some files on the base. */
const withBranches = (branches: Readonly<Record<string, Files>>): Project => {
	const project = makeProject(base);
	for (const [name, files] of Object.entries(branches)) {
		git(project.root, 'checkout', '--quiet', '-b', name, 'main');
		write(project.root, files);
		commitAll(project.root, name);
	}

	git(project.root, 'checkout', '--quiet', 'main');
	return project;
};

const three = {
	one: {'limit.txt': 'one\n2\nthree\n'},
	two: {'limit.txt': 'one\nzwei\nthree\n'},
	apart: {'readme.md': 'bye\n'},
};

const reportOf = ({stdout}: Outcome) => JSON.parse(stdout);
const errorOf = ({stdout}: Outcome) => JSON.parse(stdout).error;

test('each pair of the named commits is reported, with the lines of both sides', async () => {
	const project = withBranches(three);
	const outcome = await project.run('conflicts', 'one', 'two', 'apart', '--json');
	expect(outcome.code).toBe(1);
	const tip = (name: string) => git(project.root, 'rev-parse', name);
	expect(reportOf(outcome)).toMatchObject({
		base: tip('main'),
		inputs: [
			{name: 'one', commit: tip('one'), files: 1},
			{name: 'two', commit: tip('two'), files: 1},
			{name: 'apart', commit: tip('apart'), files: 1},
		],
		pairs: [
			{
				a: 'one',
				b: 'two',
				base: tip('main'),
				clean: false,
				overlap: ['limit.txt'],
				conflicts: [
					{
						type: 'FILE_CONFLICT',
						rule: 'F1',
						path: 'limit.txt',
						blocking: true,
						evidence: [
							{side: 'a', path: 'limit.txt', line: 2, text: '2'},
							{side: 'b', path: 'limit.txt', line: 2, text: 'zwei'},
						],
					},
				],
			},
			{a: 'one', b: 'apart', clean: true, overlap: [], conflicts: []},
			{a: 'two', b: 'apart', clean: true, overlap: [], conflicts: []},
		],
		oracles: [],
		unread: [
			{path: 'limit.txt', why: 'no grammar'},
			{path: 'readme.md', why: 'no grammar'},
		],
		target: {red: []},
	});
});

test('for a person the verdict of each pair comes first, with the lines of both sides', async () => {
	const {stdout} = await withBranches(three).run('conflicts', 'one', 'two', 'apart');
	expect(stdout).toContain('one + two: git conflict\n  FILE_CONFLICT F1 (blocks): ');
	expect(stdout).toContain('    two  limit.txt:2  zwei');
	expect(stdout).toContain('one + apart: merges cleanly\ntwo + apart: merges cleanly');
	expect(stdout).toContain(
		'Compared by git alone: limit.txt, readme.md (not in a language that is read).',
	);
});

test('what only the merge gets wrong is told with the type checker’s own words', async () => {
	const project = withBranches({
		takes: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		calls: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	const {stdout, code} = await project.run('conflicts', 'takes', 'calls');
	expect(code).toBe(1);
	expect(stdout).toContain('takes + calls: breaks the build together');
	expect(stdout).toContain('TS2554: Expected 2 arguments, but got 1.');
	expect(stdout).toMatch(/Types checked by TypeScript \d\S+ in \d/);
	const red = "TS2322: Type 'number' is not assignable to type 'string'.";
	expect(stdout).toContain(`Red without any merge\n  old.ts:1  ${red}`);
});

/** Prints an error where both files are, and one that was there before. */
const ownCheck =
	'echo "limit.txt:1:2: error TS1: old"; if test -e a.txt && test -e b.txt; then echo "a.txt:1: does not fit b"; fi; false';

test('a command of the project tells what only the merge gets wrong, and is named with its time', async () => {
	const project = withBranches({one: {'a.txt': 'a\n'}, two: {'b.txt': 'b\n'}});
	const words = ['conflicts', 'one', 'two', '--check'];
	const outcome = await project.run(...words, ownCheck, '--json');
	const {pairs, target, oracles} = reportOf(outcome);
	expect(pairs[0]).toMatchObject({
		clean: true,
		conflicts: [{rule: 'A6', path: 'a.txt', blocking: true, confirmed: {text: 'does not fit b'}}],
	});
	expect(target.red).toEqual([{file: 'limit.txt', line: 1, text: 'TS1: old'}]);
	expect(oracles).toMatchObject([{name: 'the command', version: `\`${ownCheck}\``}]);
	const nonsense = await project.run(...words, 'echo what; false');
	expect(nonsense.stdout).toContain(
		'Types not checked by the command `echo what; false`: It failed and named no file with a line.',
	);
	expect(nonsense.stdout).toContain('one + two: merges cleanly; types not checked\n');
	expect(nonsense.code).toBe(0);
});

test('how much TypeScript may read is a person’s to say', async () => {
	const project = withBranches({
		one: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		two: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	const compared = async (types: string) =>
		(await project.run('conflicts', 'one', 'two', '--types', types)).stdout;
	const refused =
		': 2 files would have to be read, more than the limit. "--types all" gives it half of the memory and half an hour.';
	expect(await compared('1')).toContain(refused);
	writeFileSync(join(project.root, '.delegate-tui.yaml'), 'types: {files: 1}\n');
	expect((await project.run('trust', '--yes')).code).toBe(0);
	expect((await project.run('conflicts', 'one', 'two')).stdout).toContain(refused);
	expect(await compared('all')).toContain('TS2554: Expected 2 arguments, but got 1.');
	git(project.root, 'branch', 'same', 'two');
	const several = await project.run('conflicts', 'one', 'two', 'same');
	expect(several.stdout).toContain(refused);
	expect(several.stdout).toMatch(/^one \+ two: [^;\n]+; types not checked$/m);
	expect(several.stdout).toContain('two + same: merges cleanly\n');
	const {code, stdout} = await project.run('conflicts', 'one', 'two', '--types', 'few', '--json');
	expect(code).toBe(2);
	expect(errorOf({stdout} as Outcome).message).toContain('a number of files, or all');
});

test('the check of the config runs code of the commits only where --run-code lets it', async () => {
	const project = withBranches({one: {'a.txt': 'a\n'}, two: {'b.txt': 'b\n'}});
	const config = join(project.root, '.delegate-tui.yaml');
	writeFileSync(config, JSON.stringify({check: [ownCheck, 'echo "b.txt:1: nor that"; false']}));
	const barred = await project.run('conflicts', 'one', 'two');
	expect(barred.stdout).toContain('It would run code of the commits; --run-code allows that.');
	expect(barred.code).toBe(0);
	const {stdout, code} = await project.run('conflicts', 'one', 'two', '--run-code');
	expect(stdout).toContain('does not fit b');
	expect(code).toBe(1);
});

test('nothing is written into a repository, bare or not', async () => {
	const project = withBranches(three);
	const bare = join(project.aside, 'bare.git');
	git(project.root, 'clone', '--quiet', '--bare', '.', bare);
	const objects = () =>
		[join(project.root, '.git'), bare].map(folder => readdirSync(folder, {recursive: true}));
	const before = [belongings(project.root), objects()];
	const words = ['conflicts', 'one', 'two', 'apart', '--verify', 'true', '--json'];
	const [here, there] = [await project.run(...words), await projectAt(bare).run(...words)];
	expect(reportOf(there)).toEqual(reportOf(here));
	expect(conflictsText(reportOf(here))).toContain('one + apart: merges cleanly; verify passes');
	expect([belongings(project.root), objects()]).toEqual(before);
});

test('a file where the other side has a folder has git’s own name, a large one no lines', async () => {
	const large = (line: string) => `${line}\n${'x'.repeat(3 * 2 ** 20)}\n`;
	const project = withBranches({
		'a/file': {place: 'file\n', 'limit.txt': large('one')},
		b: {'place/inner': 'inside\n', 'limit.txt': large('two')},
	});
	const {pairs} = reportOf(await project.run('conflicts', 'a/file', 'b', '--json'));
	const place = {path: 'place~a_file', kind: 'file/directory'};
	expect(pairs[0].conflicts).toMatchObject([{path: 'limit.txt'}, place]);
	expect(pairs[0].conflicts[0].evidence).toEqual([
		{side: 'a', path: 'limit.txt'},
		{side: 'b', path: 'limit.txt'},
	]);
});

/** Red wherever one of the files is, and where both of the others are. */
const notBoth =
	'test ! -e c.txt && { test ! -e a.txt || test ! -e b.txt || { echo "limit.txt:2: too much"; false; }; }';

test('a check that fails on the merge alone breaks tests together, and a side that is red by itself is told apart', async () => {
	const red = {'c.txt': 'c\n'};
	const project = withBranches({one: {'a.txt': 'a\n'}, two: {'b.txt': 'b\n'}, red});
	const words = ['conflicts', 'one', 'two', 'red', '--verify', notBoth, '--json'];
	const outcome = await project.run(...words);
	const report = reportOf(outcome);
	expect(outcome.code).toBe(1);
	expect(report.pairs).toMatchObject([
		{
			clean: true,
			conflicts: [{type: 'TEST_CONFLICT', rule: 'T4', path: 'limit.txt', blocking: true}],
		},
		{b: 'red', conflicts: [], verify: 'fails alone'},
		{b: 'red', conflicts: [], verify: 'fails alone'},
	]);
	const text = `\`${notBoth}\` fails on red itself: it said nothing`;
	expect(report.target.red).toEqual([{text}]);
	expect(conflictsText(report)).toContain('one + two: breaks tests together; verify fails');
});

test('what failed before either of them is told of the base alone, with its place', async () => {
	const project = withBranches({one: {'a.txt': 'a\n'}, two: {'b.txt': 'b\n'}});
	const check = 'echo "limit.txt:1: too small"; false';
	const words = ['conflicts', 'one', 'two', '--verify', check, '--json'];
	const outcome = await project.run(...words);
	const {pairs, target} = reportOf(outcome);
	expect([outcome.code, pairs[0].conflicts]).toEqual([0, []]);
	expect(target.red).toEqual([
		{
			file: 'limit.txt',
			line: 1,
			text: `\`${check}\` fails on the base itself: limit.txt:1: too small`,
		},
	]);
});

test('who is interrupted leaves no command behind, and no folder', async () => {
	const project = withBranches({one: {'a.txt': 'a\n'}, two: {'b.txt': 'b\n'}});
	const place = join(project.aside, 'temporary');
	mkdirSync(place);
	const started = join(project.aside, 'started');
	execFileSync('mkfifo', [started]);
	const words = ['conflicts', 'one', 'two', '--verify', `echo it runs >'${started}'; sleep 600`];
	const child = execa(process.execPath, [program, ...words], {
		cwd: project.root,
		env: {...project.environment, TMPDIR: place},
		extendEnv: false,
		reject: false,
	});
	expect(await readFile(started, 'utf8')).toBe('it runs\n');
	child.kill('SIGINT');
	const {exitCode, stderr} = await child;
	expect([exitCode, stderr]).toEqual([
		1,
		expect.stringContaining('The comparison was interrupted.'),
	]);
	expect(readdirSync(place)).toEqual([]);
});

test('what can’t be compared is told in one sentence', async () => {
	const project = withBranches(three);
	const said = async (...words: readonly string[]) => {
		const outcome = await project.run('conflicts', ...words, '--json');
		return [outcome.code, errorOf(outcome).message];
	};
	expect(await said('one')).toEqual([2, 'Two to eight commits can be compared, not 1.']);
	expect(await said(...Array(9).fill('one'))).toEqual([
		2,
		'Two to eight commits can be compared, not 9.',
	]);
	expect(await said('one', 'gone')).toEqual([3, 'There is no commit gone in this repository.']);
	// It is not taken for a command that passed.
	expect(await said('one', 'two', '--verify', ' ')).toEqual([
		2,
		'An empty command checks nothing.',
	]);
});

test('in a shallow clone the missing ancestor has its cause', async () => {
	const project = withBranches(three);
	const shallow = join(temporaryFolder(), 'shallow');
	const words = ['clone', '--quiet', '--depth', '1', '--no-single-branch'];
	git(project.root, ...words, `file://${project.root}`, shallow);
	const outcome = await projectAt(shallow).run('conflicts', 'origin/one', 'origin/two', '--json');
	expect([outcome.code, errorOf(outcome)]).toEqual([
		1,
		{
			kind: 'refused',
			message: 'origin/one and origin/two have no common ancestor.',
			hint: 'This repository is shallow and may lack it: git fetch --unshallow',
		},
	]);
});

test('outside of a repository, and in a damaged one, that is said', async () => {
	hermeticHome();
	const nowhere = await projectAt(temporaryFolder()).run('conflicts', 'a', 'b', '--json');
	expect([nowhere.code, errorOf(nowhere).kind]).toEqual([3, 'missing']);
	const project = withBranches(three);
	const blob = git(project.root, 'rev-parse', 'two:limit.txt');
	rmSync(join(project.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
	const damaged = await project.run('conflicts', 'one', 'two', '--json');
	expect([damaged.code, errorOf(damaged).message]).toEqual([
		3,
		expect.stringMatching(/^This repository can’t be read whole: .*\.?$/),
	]);
});

test('a merge driver of one’s own that was not run is named with its files', async () => {
	const project = withBranches({
		...three,
		attributed: {'.gitattributes': 'limit.txt merge=mine\n'},
	});
	git(project.root, 'merge', '--quiet', 'attributed');
	git(project.root, 'config', 'merge.mine.driver', 'true');
	git(project.root, 'config', 'merge.unused.driver', 'true');
	const outcome = await project.run('conflicts', 'one', 'two', 'apart', '--json');
	expect(reportOf(outcome).drivers).toEqual([{path: 'limit.txt', name: 'mine'}]);
	expect(conflictsText(reportOf(outcome))).toMatch(
		/^Your merge drivers that were not run, .*\n {2}limit\.txt {2}mine$/m,
	);
	git(project.root, 'config', '--unset', 'merge.mine.driver');
	expect(reportOf(await project.run('conflicts', 'one', 'two', '--json')).drivers).toEqual([]);
});

test('tests that pass by talking to somebody else’s server are not shown as a plain pass', async () => {
	const server = createServer(socket => socket.end()).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const {root, aside} = withBranches({one: three.one, apart: three.apart});
	const project = projectAt(root, {aside, env: {DELEGATE_TUI_PROCESSES: 'groups'}});
	const ask = `${process.execPath} -e "require('node:net').connect(${port}, '127.0.0.1').resume().on('end', () => {})"`;
	const outcome = await project.run('conflicts', 'one', 'apart', '--verify', ask);
	server.close();
	expect(outcome.stdout).toMatch(
		new RegExp(`^one \\+ apart: merges cleanly; verify passes, but .*port ${port}`, 'm'),
	);
});
