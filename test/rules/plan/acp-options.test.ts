import {expect, test} from 'vitest';
import {checkAcpOptions} from '../../../src/rules/plan/acp-options/check-acp-options.ts';
import {checkPlan} from '../../../src/rules/plan/check.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {planFileOf} from '../../../src/rules/plan/plan-file.ts';
import {subtask} from '../../helpers/plan.ts';

const claude = {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'} as const;

const said = (more: Parameters<typeof subtask>[1], existing: readonly string[] = []) =>
	checkAcpOptions(subtask('AGT-001', more), new Set(existing)).map(
		({level, message, hint}) => `${level}: ${message}${hint === undefined ? '' : ` ${hint}`}`,
	);

test('a mode in which an agent is not known to ask is refused, and of an unknown make that is said', () => {
	expect(said({agent: claude, mode: 'default'})).toEqual([]);
	expect(said({agent: claude, mode: 'acceptEdits'})).toEqual([
		expect.stringMatching(/^error: In the mode `acceptEdits`/),
	]);
	expect(said({agent: claude, mode: 'bypassPermissions'})).toEqual([
		'error: In the mode `bypassPermissions` of AGT-001, claude is not known to ask before it acts. Take one of: default.',
	]);
	expect(said({agent: {protocol: 'acp', command: ['mine']}, mode: 'bold'})).toEqual([
		'warning: It is not known whether the agent of AGT-001 asks before it acts in the mode `bold`.',
	]);
});

test('a picture that is not there is refused, and what a plain command can’t be given is said', () => {
	expect(said({agent: claude, images: ['a.png']}, ['a.png'])).toEqual([]);
	expect(said({agent: claude, images: ['a.png']})).toEqual([
		'error: The picture `a.png` of AGT-001 does not exist.',
	]);
	const mcpServers = [{name: 'docs', command: ['docs-mcp'], env: []}];
	const agent = {protocol: 'text', command: ['claude', '-p']} as const;
	expect(said({agent, mode: 'default', mcpServers, images: ['a.png']}, ['a.png'])).toEqual([
		expect.stringMatching(/^warning: `mode` of AGT-001 is for agents over .* takes none\./),
		expect.stringMatching(/^warning: `mcp_servers` /),
		expect.stringMatching(/^warning: `images` .* Name the pictures under `inputs`/),
	]);
});

const plan = (more: string) =>
	parsePlan(`version: 1\ntask: x\nagents:\n  - {subtask: y, agent: claude, ${more}}`, {
		file: 'plan.yaml',
		profiles: {claude},
	});

test.each([
	['images: [notes.txt]', 'must be a picture'],
	['images: ["../a.png"]', 'leave the repository'],
	['mcp_servers: [{name: delegate-tui, command: [x]}]', 'is the name of delegate-tui’s own server'],
	['mcp_servers: [{name: docs, command: [x], env: {A: b}}]', 'env'],
	['mcp_servers: [{name: docs}]', 'command'],
	['mcp_servers: [{name: docs, command: [x], url: "https://x.org"}]', 'goes with'],
	['mcp_servers: [{name: docs, url: "file:///x"}]', 'http://'],
])('%s is refused with its place', (more, why) => {
	const {problems} = plan(more);
	expect(problems.map(({message, line}) => `${line} ${message}`).join()).toMatch(
		new RegExp(`^4 .*${why}`),
	);
});

test('a plan that is written again names the same servers', () => {
	const parsed = plan(
		'mcp_servers: [{name: docs, command: [docs-mcp, --all], env: [DOCS_TOKEN]}, {name: web, url: "https://x.org/mcp", headers: {A: B}}]',
	);
	if (parsed.plan === undefined) {
		throw new Error('It was not read.');
	}

	const text = planFileOf(parsed.plan, {profiles: {claude}, environments: {}});
	const again = parsePlan(text, {file: 'plan.yaml', profiles: {claude}});
	expect(again.plan?.agents[0]?.mcpServers).toEqual([
		{name: 'docs', command: ['docs-mcp', '--all'], env: ['DOCS_TOKEN']},
		{name: 'web', type: 'http', url: 'https://x.org/mcp', headers: {A: 'B'}},
	]);
});

test('rivals of different makes are refused one conversation to go on from', () => {
	const codex = {protocol: 'acp', command: ['codex-acp'], vendor: 'codex'} as const;
	const toldOf = (more: object) => {
		const profiles = {claude, codex, opus: {...claude, model: 'opus'}};
		const entry = {subtask: 'y', goal: 'z', scope: {allowed: ['src/**']}, ...more};
		const text = JSON.stringify({version: 1, task: 'x', agents: [entry]});
		const read = parsePlan(text, {file: 'plan.yaml', profiles});
		return read.plan === undefined
			? undefined
			: checkPlan(read.plan, {...read, files: ['src/a.ts'], existing: new Set()})
					.filter(({level}) => level === 'error')
					.map(({message}) => message);
	};
	expect(toldOf({best_of: ['claude', 'opus'], from: 's-0'})).toEqual([]);
	expect(toldOf({best_of: ['claude', 'codex']})).toEqual([]);
	expect(toldOf({best_of: ['claude', 'codex'], from: 's-0'})).toEqual([
		expect.stringContaining('can read the conversation `s-0`: they are of different makes'),
	]);
});
