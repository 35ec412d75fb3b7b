import {mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {mergeByTool} from '../../../src/git/merge/merge-tool.ts';
import {asFailure} from '../../../src/lib/failure.ts';
import {git, script, temporaryFolder, write} from '../../helpers/repository.ts';

/** A file as a resolution folder holds it, and a repository whose merge tool is a program. */
const prepare = (tool: string, name = 'limit.txt') => {
	const folder = temporaryFolder();
	const root = join(folder, 'repository');
	mkdirSync(root);
	git(root, 'init', '--quiet');
	const program = join(folder, 'tool');
	script(program, tool);
	git(root, 'config', 'merge.tool', 'mine');
	git(root, 'config', 'mergetool.mine.cmd', `'${program}' "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`);
	git(root, 'config', 'mergetool.mine.trustExitCode', 'true');
	write(folder, {
		[`base/${name}`]: 'base\n',
		[`left/${name}`]: 'left\n',
		[`right/${name}`]: 'right\n',
		[`files/${name}`]: 'as it stands\n',
	});
	const [file, base, ours, theirs] = ['files', 'base', 'left', 'right'].map(side =>
		join(folder, side, name),
	) as [string, string, string, string];
	const left = () => readdirSync(tmpdir()).filter(one => one.startsWith('delegate-tui-merge-'));
	return {root, file, versions: {base, ours, theirs}, left};
};

test.each(['limit.txt', 'größe und\tmehr.txt'])(
	'the tool is given all versions of %j, and what it makes is taken',
	async name => {
		const {root, file, versions, left} = prepare(
			'cat "$1" "$2" "$3" "$4" >both; mv both "$4"',
			name,
		);
		const before = left();
		await mergeByTool(root, file, versions);
		expect(readFileSync(file, 'utf8')).toBe('base\nleft\nright\nas it stands\n');
		expect(left()).toEqual(before);
		expect(git(root, 'status', '--porcelain')).toBe('');
	},
);

test('what a tool made is kept where the file was changed meanwhile, and the change stays', async () => {
	const {root, file, versions} = prepare('');
	script(join(root, '..', 'tool'), `echo made >"$4"; echo elsewhere >'${file}'`);
	const refused = await mergeByTool(root, file, versions).catch(asFailure);
	expect(refused?.message).toContain('changed while the tool was open');
	expect(readFileSync(file, 'utf8')).toBe('elsewhere\n');
	const kept = refused?.hint?.replace('it is kept as ', '') ?? '';
	expect(readFileSync(kept, 'utf8')).toBe('made\n');
	rmSync(dirname(kept), {recursive: true});
});

test('a tool that gives up takes nothing back and leaves the file as it was', async () => {
	const {root, file, versions} = prepare('echo half >"$4"; exit 1');
	await expect(mergeByTool(root, file, versions)).rejects.toThrow('without a result');
	expect(readFileSync(file, 'utf8')).toBe('as it stands\n');
});

test('a person’s own attributes convert nothing that the tool is shown or makes', async () => {
	const home = temporaryFolder();
	write(home, {'git/attributes': '* text eol=crlf\n'});
	vi.stubEnv('XDG_CONFIG_HOME', home);
	const {root, file, versions} = prepare('cat "$1" "$2" "$3" >both; mv both "$4"');
	await mergeByTool(root, file, versions);
	vi.unstubAllEnvs();
	expect(readFileSync(file, 'utf8')).toBe('base\nleft\nright\n');
});
