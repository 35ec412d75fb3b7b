import {describe, expect, test} from 'vitest';
import {builtIn} from '../../../src/agents/profiles/profiles.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';

const parse = (agent: string, profiles: Parameters<typeof parsePlan>[1]['profiles'] = builtIn) =>
	parsePlan(`version: 1\ntask: t\nagents:\n  - {subtask: a, ${agent}}\n`, {
		file: 'plan.yaml',
		profiles,
	});

const problemOf = (agent: string) => {
	const [problem] = parse(agent).problems;
	return [problem?.message, problem?.hint];
};

describe('the agent of a subtask', () => {
	test.each([
		['agent: codex', {protocol: 'acp', command: ['codex-acp'], vendor: 'codex'}],
		['goal: b', {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'}],
		[
			'agent: opencode-print',
			{protocol: 'text', command: ['opencode', 'run', '--format', 'json'], stream: 'opencode'},
		],
		[
			'agent: {extends: gemini, model: big, trust: project}',
			{
				protocol: 'acp',
				command: ['gemini', '--acp'],
				vendor: 'gemini',
				model: 'big',
				trust: 'project',
			},
		],
		[
			'agent: {extends: claude, command: [npx, claude-agent-acp]}',
			{protocol: 'acp', command: ['npx', 'claude-agent-acp'], vendor: 'claude'},
		],
		[
			'agent: {protocol: text, command: [mine], stream: claude, model: small}',
			{protocol: 'text', command: ['mine'], stream: 'claude', model: 'small'},
		],
	])('%s', (agent, command) => {
		expect(parse(agent).plan?.agents[0]?.agent).toEqual(command);
	});

	test('that extends another one keeps what it does not change, and its environment stays apart', () => {
		const mine = {
			claude: {protocol: 'acp', command: ['mine'], env: {A: '1', B: '2'}},
		} as const;
		const parsed = parse('agent: {extends: claude, env: {B: "3"}}', mine);
		expect(parsed.plan && parsed.environments).toEqual({'AGT-001': {A: '1', B: '3'}});
		expect(JSON.stringify(parsed.plan)).not.toContain('"3"');
	});
});

describe('an agent that can’t be understood', () => {
	test.each([
		['agent: cluade', 'There is no agent profile `cluade`.', 'Did you mean `claude`?'],
		['agent: {extends: codx}', '`extends` must be `claude`, `codex`', 'Did you mean `codex`?'],
		['agent: {extends: claude, modle: x}', '`modle` is not a known key.', 'Did you mean `model`?'],
		['agent: {command: [x]}', '`protocol` is missing: it must be `text` or `acp`.', undefined],
		['agent: {protocol: acp, command: [x], model: y}', '`model` is not a known key.', 'Known here'],
		[
			'agent: {protocol: text, command: [x], model: y}',
			'`model` needs `stream` as well.',
			undefined,
		],
		[
			'agent: {protocol: text, command: [x], stream: claude, reply: stdin}',
			'`reply` can’t be used with `stream`.',
			undefined,
		],
		['agent: {extends: claude, trust: all}', '`trust` must be `project`.', undefined],
		['agent: [x]', '`agent` must be the name of a profile, or a map with a command.', undefined],
	])('%s', (agent, message, hint) => {
		const [said, hinted] = problemOf(agent);
		expect(said).toContain(message);
		expect(hinted ?? '').toContain(hint ?? '');
	});
});
