import {chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {
	checkBegunMove,
	checkLimits,
	checkQuestions,
	checkSandbox,
	checkSharedNames,
} from '../../../src/cli/doctor/checks.ts';
import {type Check, type CheckContext, checkConfig} from '../../../src/cli/doctor/config.ts';
import {checkEditor, checkNotifier} from '../../../src/cli/doctor/editor.ts';
import {findHere} from '../../../src/cli/here.ts';
import {sharedNames} from '../../../src/cli/plan/shared-names.ts';
import {beginMove, folderOf} from '../../../src/git/target/begun-move.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {trust} from '../../helpers/project.ts';
import {hermeticHome, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

beforeEach(() => {
	hermeticHome();
});

const look = async (check: Check, given: Partial<CheckContext> = {}) =>
	check({here: undefined, environment: {}, containment: groupsContainment('for a test'), ...given});

const withConfig = async (config: string): Promise<Partial<CheckContext>> => {
	const root = makeRepository({'.delegate-tui.yaml': config});
	return {here: await findHere(root)};
};

/** What of it needs the person's yes has it. */
const withTrusted = async (config: string): Promise<Partial<CheckContext>> => {
	const given = await withConfig(config);
	trust({root: given.here?.repository.root ?? '', environment: process.env});
	return given;
};

test('what worktrees can’t have each for itself is told in one line, and what takes its port from a variable isn’t', async () => {
	const made = makeRepository({
		'compose.yaml': `services:\n  db:\n    container_name: shop-db\n    ports:\n      - "5432:5432"\n      - "\${WEB:-80}:80"\n  cache: {ports: ["6379:6379", "127.0.0.1:9000-9010:9000-9010", "8080"]}\n  web:\n    ports:\n      - {target: 80, published: 8000}\nvolumes:\n  data:\n    external: true\n`,
		'package.json': '{"scripts": {"dev": "vite --port 5173", "api": "PORT=$PORT node api.js"}}\n',
		'.env': 'API_PORT=4000\nNAME=shop\n',
		'vite.config.ts': 'export default {server: {port: 5174}};\n',
	});
	expect(await look(checkSharedNames, {here: await findHere(made)})).toMatchObject([
		{
			level: 'warn',
			text: 'all worktrees share port 4000 (.env), container_name shop-db, port 5432, port 6379, port 9000, port 8000, an external volume or network (compose.yaml), port 5173 (package.json), port 5174 (vite.config.ts)',
		},
	]);
	expect(
		await sharedNames(made, [{from: './.env', set: {API_PORT: `\${DELEGATE_PORT}`}}]),
	).not.toContain('.env');
	const plain = makeRepository({
		'package.json': '{"scripts": {"test": "vitest"}}\n',
		'compose.yaml': 'services: [: {\n',
	});
	expect(await look(checkSharedNames, {here: await findHere(plain)})).toEqual([]);
});

describe('the editor', () => {
	test.each([
		[{}, 'absent', 'no editor is named'],
		[{EDITOR: 'ed', VISUAL: ' '}, 'good', 'ed (named by EDITOR)'],
		[{EDITOR: 'vi', VISUAL: 'ed --wait'}, 'good', 'ed --wait (named by VISUAL)'],
		[{EDITOR: 'gone --wait'}, 'warn', 'no gone was found'],
		[{EDITOR: '"my editor" --wait'}, 'good', '"my editor" --wait (named by EDITOR)'],
	])('%o is %s', async (environment, level, text) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'ed'), '#!/bin/sh\n');
		chmodSync(join(folder, 'ed'), 0o755);
		expect(await look(checkEditor, {environment: {PATH: folder, ...environment}})).toMatchObject([
			{level, text: expect.stringContaining(text)},
		]);
	});
});

describe('the config', () => {
	test('is told by its files', async () => {
		const here = await withConfig('docs: false\n');
		expect(await look(checkConfig, here)).toMatchObject([
			{level: 'good', text: expect.stringMatching(/\.delegate-tui\.yaml$/)},
		]);
	});

	test('that can’t be used is a fault, with the place of each mistake', async () => {
		const here = await withConfig('docs: maybe\ncolour: blue\n');
		expect(await look(checkConfig, here)).toMatchObject([
			{level: 'bad', text: expect.stringContaining('.delegate-tui.yaml:1:')},
			{level: 'bad', text: expect.stringContaining('.delegate-tui.yaml:2:')},
		]);
	});
});

test('the sandbox is told by what it does, and is a fault where the config requires more', async () => {
	const fileSandbox = {missing: 'bubblewrap is not installed', hint: 'sudo apt install bubblewrap'};
	const without = {...groupsContainment('for a test'), fileSandbox};
	const text = 'files are not protected from agents: bubblewrap is not installed';
	const {hint} = fileSandbox;
	expect(await look(checkSandbox, {containment: without})).toEqual([{level: 'warn', text, hint}]);
	const required = await withConfig('sandbox: required\n');
	expect(await look(checkSandbox, {...required, containment: without})).toEqual([
		{
			level: 'bad',
			text: `the config requires that files are protected; ${text}`,
			hint,
		},
	]);
	const containment = {
		...without,
		fileSandbox: {program: '/usr/bin/bwrap', by: 'bubblewrap'} as const,
	};
	expect(await look(checkSandbox, {...required, containment})).toMatchObject([
		{level: 'good', text: expect.stringMatching(/^files protected: /)},
	]);
	const off = await withTrusted('sandbox: off\n');
	expect(await look(checkSandbox, {...off, containment})).toMatchObject([
		{level: 'warn', text: expect.stringMatching(/^files not protected: you turned it off/)},
	]);
});

test('what limits agents between two looks is told', async () => {
	const containment = groupsContainment('for a test');
	expect(await look(checkLimits, {containment})).toMatchObject([
		{text: expect.stringContaining('no control group can be created here')},
	]);
	expect(
		await look(checkLimits, {containment: {...containment, controlGroups: '/sys/fs/cgroup'}}),
	).toMatchObject([{text: expect.stringMatching(/^control groups limit/)}]);
});

test('the notifier is looked for unless it is turned off', async () => {
	const folder = temporaryFolder();
	const environment = {PATH: folder};
	expect(await look(checkNotifier, {environment})).toMatchObject([
		{level: 'absent', hint: expect.stringContaining('install it')},
	]);
	for (const name of ['notify-send', 'osascript']) {
		writeFileSync(join(folder, name), '#!/bin/sh\n');
		chmodSync(join(folder, name), 0o755);
	}

	expect(await look(checkNotifier, {environment})).toMatchObject([{level: 'good'}]);
	const off = await withTrusted('notify: {desktop: false}\n');
	expect(await look(checkNotifier, {...off, environment})).toMatchObject([{level: 'absent'}]);
});

describe('the folders of questions', () => {
	const questionsIn = async (home: string) =>
		look(checkQuestions, await withTrusted(`questions: {home: "${home}"}\n`));

	test('are told with who sees them, and are not made by a look', async () => {
		const home = join(temporaryFolder(), 'home');
		expect(await questionsIn(home)).toMatchObject([
			{
				level: 'good',
				text: `question files are in ${home}; each agent sees those of the others, too`,
			},
		]);
		expect(existsSync(home)).toBe(false);
		const here = await withTrusted(`questions: {home: "${home}"}\n`);
		const containment = {
			level: 'namespace',
			why: 'for a test',
			prefix: [],
			binds: true,
			fileSandbox: {missing: 'for a test'},
		} as const;
		expect(await look(checkQuestions, {...here, containment})).toMatchObject([
			{text: expect.stringContaining('each agent sees only its own')},
		]);
	});

	test('that can’t be used are told, each once', async () => {
		const home = temporaryFolder();
		writeFileSync(join(home, 'questions'), 'in the way');
		mkdirSync(join(home, 'audit/questions.log'), {recursive: true});
		symlinkSync(join(home, 'nowhere'), join(home, 'workflows'));
		expect(await questionsIn(home)).toMatchObject([
			{level: 'warn', text: `${join(home, 'questions')} is not a folder`},
			{level: 'warn', text: `${join(home, 'workflows')} is a link that leads nowhere`},
			{level: 'warn', text: `${join(home, 'audit/questions.log')} is not a file`},
		]);
	});

	test.runIf(process.platform === 'linux')(
		'that could not be made are told, also where the mode of the one above allows it',
		async () => {
			expect(await questionsIn('/proc/nowhere')).toMatchObject([
				{level: 'warn', text: '/proc can hold no folders'},
			]);
		},
	);

	test('into which others may write are told', async () => {
		const home = temporaryFolder();
		mkdirSync(join(home, 'answers'));
		chmodSync(join(home, 'answers'), 0o777);
		expect(await questionsIn(home)).toMatchObject([
			{
				level: 'warn',
				text: `${join(home, 'answers')} can be written by other users`,
				hint: expect.stringContaining('chmod go-w'),
			},
		]);
	});
});

test('a move that was begun and is not over is told with what frees it', async () => {
	const root = join(temporaryFolder(), 'a project');
	renameSync(makeRepository(), root);
	const here = await findHere(root);
	expect(await look(checkBegunMove, {here})).toEqual([]);
	const oid = '0'.repeat(40);
	await beginMove(here.repository, {target: 'main', from: oid, to: oid});
	expect(await look(checkBegunMove, {here})).toMatchObject([
		{level: 'warn', hint: expect.stringContaining(`rm -r '${folderOf(here.repository)}'`)},
	]);
});
