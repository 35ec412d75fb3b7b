import {describe, expect, test} from 'vitest';
import {
	checkProposal,
	completeProposal,
	planFormat,
	planInWords,
} from '../../../src/rules/plan/proposal.ts';
import {show} from './problems.ts';

describe('the plan in what a planner says', () => {
	test('is the last block that looks like one', () => {
		const words =
			'First:\n```yaml\nversion: 0\n```\nNo:\n~~~~yaml\nversion: 1\ntask: x\n```\n~~~~\nAs in\n```ts\nx\n```\n';
		expect(planInWords(words)).toBe('version: 1\ntask: x\n```\n');
	});

	test('is all from its first line on where nothing is fenced', () => {
		expect(planInWords('Here it is.\nversion: 1\ntask: x\n')).toBe('version: 1\ntask: x\n');
	});

	test('is not there in words, or in a block that was cut off', () => {
		expect(planInWords('I would split it in two.')).toBeUndefined();
		expect(planInWords('```ts\nversion: 1\n```\n')).toBe('version: 1\n');
		expect(planInWords('```sh\nls\n```\n')).toBeUndefined();
	});
});

const agents = {mine: {protocol: 'text' as const, command: ['true']}};

const check = (text: string): readonly string[] =>
	show(
		checkProposal(text, {
			file: 'plan',
			profiles: agents,
			files: ['src/a.ts', 'src/b.ts'],
			existing: new Set(),
		}),
	);

const entry = (scope: string, more = ''): string =>
	`  - {subtask: Do one thing here, agent: mine, scope: {allowed: [${scope}]}${more}}`;

const plan = (...entries: readonly string[]): string =>
	['version: 1', 'task: x', 'agents:', ...entries].join('\n');

describe('a proposed plan', () => {
	test('may have up to three subtasks in disjoint scopes', () => {
		expect(check(plan(entry('src/a.ts'), entry('src/b.ts'), entry('docs/**')))).toEqual([]);
		expect(check(plan(...['a', 'b', 'c', 'd'].map(name => entry(`src/${name}/**`))))).toEqual([
			'7:5 There are 4 subtasks; propose at most 3.',
		]);
	});

	test('must not let two agents write a file, there or yet to come', () => {
		expect(check(plan(entry('src/**'), entry('src/b.ts')))).toEqual([
			'5:54 AGT-001 and AGT-002 may both write `src/b.ts`; scopes must be disjoint.',
		]);
		expect(check(plan(entry('docs/**'), entry('docs/new/**')))).toHaveLength(1);
	});

	test('may not say how agents are started, or what runs unseen', () => {
		const text = `${plan(entry('src/**', ', behavior: a.md'), '  - {subtask: Do it there, agent: {protocol: text, command: [sh]}}')}\nsetup: [sh]\ncopy: [.env]\n`;
		expect(check(text)).toEqual([
			'4:75 `behavior` can’t be proposed: a person has to write it.',
			'4:85 The behavior file `a.md` of AGT-001 does not exist.',
			'5:28 `agent` can’t be proposed: a person has to write it.',
			'6:1 `setup` can’t be proposed: a person has to write it.',
			'7:1 `copy` can’t be proposed: a person has to write it.',
		]);
	});

	test('is told every mistake with its place, as a plan file is', () => {
		expect(check('version: 1\ntask: x\nagents:\n  - {subtask: a, scop: {}}\n')).toEqual([
			'4:18 `scop` is not a known key.',
		]);
	});

	test('gets the person’s own task and an agent for each subtask, and keeps its comments', () => {
		const text =
			'# why\nversion: 1\ntask: theirs\nagents:\n  # first\n  - subtask: Do it\n  - {subtask: b, agent: mine}\n';
		expect(completeProposal(text, {task: 'ours: all', agent: 'me'})).toBe(
			'# why\nversion: 1\ntask: "ours: all"\nagents:\n  # first\n  - subtask: Do it\n    agent: me\n  - {subtask: b, agent: mine}\n',
		);
	});
});

test('the format that a planner is told names what each key is for', () => {
	const lines = planFormat().split('\n');
	expect(lines.filter(line => line.endsWith(': '))).toEqual([]);
	expect(lines).toContain(
		'task (text, needed): the purpose of the whole session; every agent is told',
	);
	expect(lines).toContain('  after (list): ids of the agents whose results this one waits for');
});
