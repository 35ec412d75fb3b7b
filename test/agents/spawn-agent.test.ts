import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {agentEnvironment} from '../../src/agents/spawn-agent.ts';
import {commitAll, git, makeRepository, write} from '../helpers/repository.ts';

test('an agent without a terminal goes on with a rebase once it has resolved the conflict', () => {
	const root = makeRepository({'a.txt': 'a\n'});
	git(root, 'config', 'user.name', 'Ada');
	git(root, 'config', 'user.email', 'ada@example.org');
	git(root, 'switch', '--quiet', '--create', 'work');
	write(root, {'a.txt': 'mine\n'});
	commitAll(root, 'mine');
	git(root, 'switch', '--quiet', 'main');
	write(root, {'a.txt': 'theirs\n'});
	commitAll(root, 'theirs');
	const env = agentEnvironment(
		{...process.env, TERM: 'dumb', EDITOR: undefined, VISUAL: undefined},
		{session: 's', agent: 'AGT-001', promptFile: '/nowhere', mark: 'MARK=1', profile: {}},
	);
	const asAgent = (...words: readonly string[]) =>
		spawnSync('git', words, {cwd: root, env, encoding: 'utf8'});
	expect(asAgent('rebase', 'main', 'work').status).toBe(1);
	write(root, {'a.txt': 'both\n'});
	asAgent('add', 'a.txt');
	expect(asAgent('rebase', '--continue')).toMatchObject({status: 0});
	expect(git(root, 'log', '--format=%s', 'work')).toBe('mine\ntheirs\nbase');
});

test('an agent’s tools word their errors in English, and keep to the person’s locale otherwise', () => {
	const person = {LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de'};
	const own = {session: 'DEL-1', agent: 'AGT-001', promptFile: '/p', mark: 'A=b', profile: {}};
	expect(agentEnvironment(person, own)).toMatchObject({...person, LANGUAGE: 'C'});
});

test('an agent keeps the file of a person’s own git settings, and no variable that leads git elsewhere', () => {
	const person = {GIT_CONFIG_GLOBAL: '/home/me/dotfiles/git', GIT_DIR: '/home/me/shop/.git'};
	const own = {session: 'DEL-1', agent: 'AGT-001', promptFile: '/p', mark: 'A=b', profile: {}};
	const env = agentEnvironment(person, own);
	expect(env).toMatchObject({GIT_CONFIG_GLOBAL: '/home/me/dotfiles/git'});
	expect(env).not.toHaveProperty('GIT_DIR');
});
