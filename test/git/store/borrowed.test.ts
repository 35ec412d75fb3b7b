import {appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {
	borrowedFrom,
	createBare,
	lentObjects,
	refreshBare,
} from '../../../src/git/store/borrowed.ts';
import {git, makeRepository, temporaryFolder, write} from '../../helpers/repository.ts';

const rulesOf = async (root: string): Promise<string> =>
	(await borrowedFrom(await openRepository(root))).exclude;

test('ignore rules are those that git itself reads, where nothing names another file', async () => {
	const root = makeRepository();
	write(root, {'.git/info/exclude': '*.mine'});
	const [home, config] = [temporaryFolder(), temporaryFolder()];
	vi.stubEnv('HOME', home);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	write(home, {'.config/git/ignore': '*.home'});
	write(config, {'git/ignore': '*.config'});
	vi.stubEnv('XDG_CONFIG_HOME', config);
	expect(await rulesOf(root)).toBe('*.config\n*.mine\n');
	vi.stubEnv('XDG_CONFIG_HOME', undefined);
	expect(await rulesOf(root)).toBe('*.home\n*.mine\n');
});

test('a setting that is only named is lent as true, which it is to git', async () => {
	const root = makeRepository();
	appendFileSync(join(root, '.git/config'), '[core]\n\tautocrlf\n');
	const {config} = await borrowedFrom(await openRepository(root));
	expect(config.get('core.autocrlf')).toBe('true');
});

test('a file of rules that is named from nowhere is not looked for where we happen to stand', async () => {
	const root = makeRepository();
	write(root, {'.git/info/exclude': '*.mine\n'});
	git(root, 'config', 'core.excludesFile', 'package.json');
	expect(existsSync('package.json')).toBe(true);
	expect(await rulesOf(root)).toBe('*.mine\n');
});

test('where the end of a shallow history can’t be read, the one that was known stays', async () => {
	const borrowed = await borrowedFrom(await openRepository(makeRepository()));
	const folder = temporaryFolder();
	write(folder, {shallow: `${'a'.repeat(40)}\n`});
	const gitDir = join(folder, 'bare.git');
	await createBare(gitDir, {...borrowed, shallowFile: join(folder, 'shallow')});
	mkdirSync(join(folder, 'unreadable'));
	const asked = refreshBare(gitDir, {...borrowed, shallowFile: join(folder, 'unreadable')});
	await expect(asked).rejects.toThrow();
	expect(readFileSync(join(gitDir, 'shallow'), 'utf8')).toBe(`${'a'.repeat(40)}\n`);
});

test('a submodule’s objects are lent, but none to which a link in its place leads', async () => {
	const [root, other] = [makeRepository(), makeRepository()];
	git(root, 'init', '--quiet', 'inner');
	symlinkSync(other, join(root, 'link'));
	write(root, {
		'.gitmodules': '[submodule "inner"]\n\tpath = inner\n[submodule "link"]\n\tpath = link\n',
	});
	expect(await lentObjects(await openRepository(root))).toEqual([
		join(root, '.git/objects'),
		join(root, 'inner/.git/objects'),
	]);
});

test('a .gitmodules that git can’t read, as in the middle of a merge, names no submodule', async () => {
	const root = makeRepository();
	write(root, {'.gitmodules': '<<<<<<< ours\n[submodule "inner"]\n\tpath = inner\n'});
	expect(await lentObjects(await openRepository(root))).toEqual([join(root, '.git/objects')]);
});
