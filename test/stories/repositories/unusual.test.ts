import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkouts} from '../../safety/zoo/checkouts.ts';
import {contents} from '../../safety/zoo/contents.ts';
import {starts} from '../../safety/zoo/starts.ts';

/** Repositories in which people have work done, and what makes each: a script of this folder, or a recipe by which `zoo.safety.ts` takes a session through one. */
const unusual = {
	'a submodule': 'submodule.sh',
	'a submodule as git made them before 1.7.8': 'old-submodule.sh',
	'Git LFS without its program': 'missing-filter.sh',
	'hooks, of husky or of any kind': 'hooks of every kind',
	'signed commits': 'signed.sh',
	'a sparse checkout': 'a sparse checkout',
	'spaces and emoji behind a symbolic link': 'emoji-behind-link.sh',
	'SHA-256': 'objects named by SHA-256',
	'a detached HEAD': 'a detached HEAD',
	'a worktree of a worktree': 'linked-worktree.sh',
	'a bare one': 'bare',
	'an agent that rebases and collects garbage': 'plain.sh',
	'CRLF line endings': 'line endings that git converts',
	'a shallow clone': 'a shallow clone',
	'a partial clone': 'a clone without blobs of its own',
	'the inside of a submodule': 'a submodule itself',
	'a start from a subfolder': 'a folder below the top',
	'config for each worktree': 'settings for each worktree',
	'a foreign GIT_DIR': 'a shell that leads git elsewhere',
	'no HOME': 'a shell without a home',
	'a HOME that can’t be written': 'plain.sh',
	'a branch that another worktree holds': 'a target in another worktree',
} as const;

test('each unusual repository is made by a script that a story runs, or by a recipe of the zoo, and no script is left over', () => {
	const here = import.meta.dirname;
	const stories = readdirSync(here)
		.filter(name => name.endsWith('.test.ts') && !import.meta.filename.endsWith(name))
		.map(name => readFileSync(join(here, name), 'utf8'))
		.join('');
	const scripts = readdirSync(here).filter(name => name.endsWith('.sh'));
	const recipes = [...starts, ...checkouts, ...contents].map(({name}) => name);
	const makers = Object.values<string>(unusual);
	expect(scripts.filter(name => !stories.includes(`madeBy('${name}'`))).toEqual([]);
	expect(scripts.filter(name => !makers.includes(name))).toEqual([]);
	expect(makers.filter(name => !scripts.includes(name) && !recipes.includes(name))).toEqual([]);
});
