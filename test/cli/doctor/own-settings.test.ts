import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {checkOwnSettings} from '../../../src/cli/doctor/own-settings.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

/** What the doctor tells of a home with these files, without where that lies. */
const look = async (files: Readonly<Record<string, unknown>>, environment = {}) => {
	const home = temporaryFolder();
	for (const [name, content] of Object.entries(files)) {
		const path = join(home, name);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
	}

	const findings = await checkOwnSettings({
		here: undefined,
		environment: {HOME: home, ...environment},
		containment: groupsContainment('for a test'),
	});
	expect(findings.every(({level}) => level === 'absent')).toBe(true);
	return findings.map(({text}) => text.replace(home, '~').replace(/; that does not hold.*/, ''));
};

const allow = ['Bash', 'Edit(/src/**)', 'Read', 'mcp__docs', 'WebFetch', 'BashOutput'];

test.each([
	[
		'.claude/settings.json',
		{permissions: {allow, defaultMode: 'bypassPermissions'}},
		'Claude Code: ~/.claude/settings.json allows by itself: Bash, Edit(/src/**), mode bypassPermissions',
	],
	[
		'.claude/settings.local.json',
		{permissions: {allow: ['Write']}},
		'Claude Code: ~/.claude/settings.local.json allows by itself: Write',
	],
	[
		'.config/opencode/opencode.json',
		{
			permission: {bash: {'*': 'ask', 'npm *': 'allow'}, edit: 'ask', read: 'allow'},
			agent: {build: {permission: {edit: 'allow'}}, plan: {permission: 'allow'}, own: {}},
		},
		'opencode: ~/.config/opencode/opencode.json allows by itself: permission.bash, agent.build.permission.edit, agent.plan.permission',
	],
	[
		'.gemini/settings.json',
		{
			tools: {allowed: ['run_shell_command(git)', 'read_file']},
			general: {defaultApprovalMode: 'auto_edit'},
		},
		'Gemini CLI: ~/.gemini/settings.json allows by itself: run_shell_command(git), mode auto_edit',
	],
	[
		'.gemini/policies/own.toml',
		'[[rule]]\n',
		'Gemini CLI: ~/.gemini/policies allows by itself: own.toml',
	],
	['.codex/rules/default.rules', 'x', 'Codex: ~/.codex/rules allows by itself: default.rules'],
])('%s is named with what it allows that a session asks about', async (file, content, text) => {
	expect(await look({[file]: content})).toEqual([text]);
});

test('settings that allow nothing of that, or can’t be read, are not told', async () => {
	expect(
		await look({
			'.claude/settings.json': {permissions: {allow: ['Read'], defaultMode: 'plan'}},
			'.claude/settings.local.json': {permissions: 'all'},
			'.config/opencode/opencode.json': '{ // a comment\n}',
			'.config/opencode/config.json': {permission: {edit: 'ask'}, agent: []},
			'.gemini/settings.json': {tools: {allowed: 'all'}, general: 1},
		}),
	).toEqual([]);
});

test('of many rules a few are named, and the rest are counted', async () => {
	const rules = Array.from({length: 7}, (_, number) => `Bash(echo ${number})`);
	const [text] = await look({'.claude/settings.json': {permissions: {allow: rules}}});
	expect(text).toMatch(/Bash\(echo 4\) and 2 more$/);
});

test('they are looked for where the make itself looks for them', async () => {
	const elsewhere = temporaryFolder();
	writeFileSync(join(elsewhere, 'settings.json'), JSON.stringify({permissions: {allow: ['Bash']}}));
	expect(await look({}, {CLAUDE_CONFIG_DIR: elsewhere})).toEqual([
		`Claude Code: ${elsewhere}/settings.json allows by itself: Bash`,
	]);
});
