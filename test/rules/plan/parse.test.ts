import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import type {SupervisionPolicy} from '../../../src/events/plan.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {planFileSchema} from '../../../src/rules/plan/schema.ts';
import {show} from './problems.ts';

const profiles = {
	claude: {protocol: 'text' as const, command: ['claude', '-p'], env: {TOKEN: 'a secret'}},
	codex: {protocol: 'text' as const, command: ['codex'], reply: 'stdin' as const},
};

const parse = (text: string) => parsePlan(text, {file: 'plan.yaml', profiles});

const problemsOf = (text: string): readonly string[] => show(parse(text).problems);

const planOf = (text: string) => {
	const parsed = parse(text);
	expect(show(parsed.problems)).toEqual([]);
	if (parsed.plan === undefined) {
		throw new Error('there is no plan');
	}

	return parsed;
};

/** A plan whose first agent stands on line 4, with these further keys from line 5 on. */
const withAgent = (keys: string): string =>
	`version: 1\ntask: Limit the rate\nagents:\n  - subtask: Build the token bucket\n    ${keys}\n`;

const withAgents = (...agents: readonly string[]): string =>
	['version: 1', 'task: Limit the rate', 'agents:', ...agents.map(agent => `  - {${agent}}`)].join(
		'\n',
	);

describe('a plan that is fine', () => {
	test('names what tells worktrees apart, in variables, copies and commands', () => {
		const {plan} = planOf(`version: 1
task: Limit the rate
env: {PORT: "\${DELEGATE_PORT}"}
copy: [.env.example, {from: .env, set: {DATABASE: "shop_\${DELEGATE_SLOT}"}}]
setup: ['createdb "shop_\${DELEGATE_SLOT}" --port "\${PGPORT:-5432}"']
agents: [{subtask: a, agent: claude}]
`);
		expect(plan).toMatchObject({
			env: {PORT: `\${DELEGATE_PORT}`},
			copy: ['.env.example', {from: '.env', set: {DATABASE: `shop_\${DELEGATE_SLOT}`}}],
		});
	});

	test('says everything that a plan file can say', () => {
		const {plan} = planOf(`
version: 1
task: Rate-limit the public API
context: Express app in src/; tests with vitest.
success: [npm test passes, "p99 overhead < 1 ms"]
target: main                    # default: the current branch
setup: [npm ci]
copy: [.env.example]
verify: [npm test]
check: [npx tsc]
supervision: semi-autonomous
agents:
  - subtask: Token bucket middleware
    goal: Requests over the limit get 429
    scope: {allowed: ["src/limit/**", "test/limit/**"], forbidden: ["src/limit/legacy/**"]}
    agent: codex
    behavior: .claude/agents/backend.md
    inputs: [docs/rate-limits.md]
    metrics: [coverage ≥ 90 %]
    after: []
    timeout: 1h30m
    thinking: think-hard
    tokens: 200000
    output: docs/limits.md
    expect: [CREATED, SUMMARY]
`);
		expect(plan).toEqual({
			task: 'Rate-limit the public API',
			context: 'Express app in src/; tests with vitest.',
			success: ['npm test passes', 'p99 overhead < 1 ms'],
			target: 'main',
			setup: ['npm ci'],
			copy: ['.env.example'],
			verify: ['npm test'],
			check: ['npx tsc'],
			supervision: 'semi-autonomous',
			agents: [
				{
					id: 'AGT-001',
					subtask: 'Token bucket middleware',
					goal: 'Requests over the limit get 429',
					scope: {
						allowed: ['src/limit/**', 'test/limit/**'],
						forbidden: ['src/limit/legacy/**'],
					},
					agent: {protocol: 'text', command: ['codex'], reply: 'stdin'},
					profile: 'codex',
					origin: {by: 'built in', variables: []},
					behavior: '.claude/agents/backend.md',
					inputs: ['docs/rate-limits.md'],
					metrics: ['coverage ≥ 90 %'],
					after: [],
					timeoutMs: 5_400_000,
					thinking: 'think-hard',
					tokens: 200_000,
					output: 'docs/limits.md',
					expect: ['CREATED', 'SUMMARY'],
				},
			],
		});
	});

	test('takes the check of the config where it names none, not even an empty one', () => {
		const checkOf = (text: string) =>
			parsePlan(text, {file: 'plan.yaml', profiles, check: ['make types']}).plan?.check;
		const plan = withAgents('subtask: Build it');
		expect(checkOf(plan)).toEqual(['make types']);
		expect(checkOf(`check: []\n${plan}`)).toBeUndefined();
		expect(checkOf(`check: [npx tsc]\n${plan}`)).toEqual(['npx tsc']);
	});

	test('is merged as it says, else as the config does', () => {
		const plan = withAgents('subtask: Build it');
		const mergeOf = (text: string) =>
			parsePlan(text, {file: 'plan.yaml', profiles, merge: 'per-agent'}).plan?.merge;
		expect(mergeOf(plan)).toBe('per-agent');
		expect(mergeOf(`merge: squash\n${plan}`)).toBe('squash');
	});

	test('has its defaults filled in and no key for what is absent', () => {
		const {plan} = planOf(withAgents('subtask: Build it'));
		expect(plan).toStrictEqual({
			task: 'Limit the rate',
			success: [],
			setup: [],
			copy: [],
			verify: [],
			supervision: 'supervised',
			agents: [
				{
					id: 'AGT-001',
					subtask: 'Build it',
					scope: {allowed: [], forbidden: []},
					agent: {protocol: 'text', command: ['claude', '-p']},
					profile: 'claude',
					origin: {by: 'built in', variables: ['TOKEN']},
					inputs: [],
					metrics: [],
					after: [],
					timeoutMs: 3_600_000,
					thinking: 'standard',
					expect: [],
				},
			],
		});
	});

	test('takes the time limit of the config where an agent names none', () => {
		const text = withAgents('subtask: one', 'subtask: two, timeout: 90s');
		const parsed = parsePlan(text, {file: 'plan.yaml', profiles, timeoutMs: 1234});
		expect(parsed.plan?.agents.map(({timeoutMs}) => timeoutMs)).toEqual([1234, 90_000]);
	});

	test('gives ids in order and leaves out those that are taken', () => {
		const {plan} = planOf(
			withAgents('subtask: a', 'subtask: b, id: AGT-002', 'subtask: c', 'subtask: d, id: AGT-1000'),
		);
		expect(plan.agents.map(({id}) => id)).toEqual(['AGT-001', 'AGT-002', 'AGT-003', 'AGT-1000']);
	});

	test('may wait for ids that were given, in any order', () => {
		const {plan} = planOf(withAgents('subtask: a, after: [AGT-002]', 'subtask: b'));
		expect(plan.agents[0]?.after).toEqual(['AGT-002']);
	});

	test('holds no value of the environment, which is handed over apart, but its names and whose they are', () => {
		const inline = 'agent: {protocol: acp, command: [agent.sh, --acp], env: {KEY: hidden}}';
		const {plan, environments} = planOf(
			withAgents('subtask: a', `subtask: b, ${inline}`, 'subtask: c, agent: codex'),
		);
		expect(JSON.stringify(plan)).not.toMatch(/a secret|hidden/);
		expect(plan.agents.map(({origin}) => origin)).toEqual([
			{by: 'built in', variables: ['TOKEN']},
			{by: 'the plan', variables: ['KEY']},
			{by: 'built in', variables: []},
		]);
		expect(environments).toEqual({
			'AGT-001': {TOKEN: 'a secret'},
			'AGT-002': {KEY: 'hidden'},
			'AGT-003': {},
		});
		expect(plan.agents[1]).not.toHaveProperty('profile');
		expect(plan.agents[1]?.agent).toEqual({protocol: 'acp', command: ['agent.sh', '--acp']});
	});

	test('tells later checks where its parts stand', () => {
		const {positionOf} = planOf(withAgent('scope: {allowed: [src]}'));
		expect(positionOf(['agents', 0, 'scope', 'allowed', 0])).toEqual({
			file: 'plan.yaml',
			line: 5,
			column: 23,
		});
		expect(positionOf(['agents', 0, 'scope'], 'key')).toMatchObject({line: 5, column: 5});
		expect(positionOf(['agents', 0, 'goal'])).toMatchObject({line: 4, column: 5});
	});

	test('may use anchors, a byte order mark and Windows line ends', () => {
		const {plan} = planOf(
			'\uFEFFversion: 1\r\ntask: x\r\nagents:\r\n  - {subtask: a, scope: &s {allowed: [src]}}\r\n  - {subtask: b, scope: *s}\r\n',
		);
		expect(plan.agents[1]?.scope.allowed).toEqual(['src']);
	});
});

describe('a file that is no plan', () => {
	test.each([
		['nothing at all', '', ['1:1 The plan is empty.']],
		['comments only', '# version: 1\n', ['1:1 The plan is empty.']],
		['a list', '- a', ['1:1 The file must be a map of keys and values, but is a list.']],
		['text', 'hello', ['1:1 The file must be a map of keys and values, but is text.']],
		[
			'a newer version, whatever else it says',
			'version: 2\nagnets: 1\n',
			['1:10 Only plans of version 1 can be read.'],
		],
		['a version as text', 'version: "1"', ['1:10 Only plans of version 1 can be read.']],
		[
			'what every plan needs is missing',
			'context: x',
			['1:1 `version` is missing.', '1:1 `task` is missing.', '1:1 `agents` is missing.'],
		],
		['no agents', 'version: 1\ntask: x\nagents: []', ['3:9 `agents` must have at least 1 entry.']],
		[
			'more agents than anyone can supervise',
			withAgents(...Array.from({length: 51}, () => 'subtask: a')),
			['4:3 `agents` must have at most 50 entries.'],
		],
	])('%s', (_, text, problems) => {
		expect(problemsOf(text)).toEqual(problems);
	});

	test('a file made to take minutes is refused at once', () => {
		const message = 'The file has more than 200000 parts, such as values and marks.';
		expect(problemsOf(`[${','.repeat(500_000)}`)).toEqual([`1:1 ${message}`]);
	});

	test('a file over 1 MiB is not read', () => {
		const text = `task: "${'é'.repeat(600_000)}"`;
		expect(text.length).toBeLessThan(1_048_576);
		expect(problemsOf(text)).toEqual(['1:1 The file is bigger than 1 MiB.']);
	});
});

describe('YAML that can’t be read', () => {
	test.each([
		[
			'a tab',
			'version: 1\n\ttask: x\n',
			'2:1 A tab indents this line, and YAML takes only spaces.',
		],
		['a colon in a value', 'task: Limit: the rate\n', '1:7 A key can’t be here.'],
		[
			'a key that stands twice',
			'task: x\nverify: []\ntask: y\n',
			'3:1 This key is already in the same map.',
		],
		[
			'a second document',
			'task: x\n---\ntask: y\n',
			'2:1 A second document starts here, and a file may hold one only.',
		],
		[
			'a bracket that is not closed',
			'verify: [npm test\ntask: x\n',
			'2:1 The indentation does not fit, or a bracket before is not closed.',
		],
		[
			'a quote that is not closed',
			'task: "x\nverify: []',
			'2:11 Something is not closed or not separated here.',
		],
		[
			'a glob that YAML takes for an alias',
			'x:\n  - **/*.ts\n',
			'2:5 A value that starts with `*` is an alias to YAML, and no anchor before it has its name.',
		],
		[
			'a glob that YAML takes for a tag',
			'x: !src/**\n',
			'1:4 A value that starts with `!` is a tag to YAML, and tags are not read here.',
		],
		['a map for a key', '{a: 1}: x\n', '1:1 A key must be plain text.'],
		[
			'aliases that would grow without bound',
			`a: &a [x]\nb: [${'*a,'.repeat(200)}]\n`,
			'1:1 The file uses more than 100 aliases.',
		],
		[
			'an alias that holds itself, which is only the wrong kind of value',
			'version: 1\ntask: x\nagents: &a [*a]\n',
			'3:13 An entry of `agents` must be a map of keys and values, but is a list.',
		],
		['a fault, once a line', '- a\nb: 1\n', '2:1 This does not fit what comes before it.'],
	])('%s', (_, text, problem) => {
		expect(problemsOf(text)).toEqual([problem]);
	});

	test('nesting without end is refused, not followed', () => {
		expect(problemsOf('['.repeat(20_000))[0]).toContain('The file nests too deep.');
	});

	test('a map of many keys takes no quadratic time', () => {
		const keys = Array.from({length: 20_000}, (_, index) => `k${index}: 1`).join('\n');
		expect(problemsOf(keys)).toHaveLength(50);
	});
});

test('what a plan says of no kind itself is as the config has it', () => {
	const supervisionOf = (line: string, supervision: SupervisionPolicy) =>
		parsePlan(`${line}\n${withAgent('agent: claude')}`, {file: '', profiles, supervision}).plan
			?.supervision;
	expect(supervisionOf('', {checkpoint: 'go'})).toEqual({checkpoint: 'go'});
	expect(supervisionOf('supervision: {review: go}', {checkpoint: 'go'})).toBe('semi-autonomous');
	expect(supervisionOf('supervision: supervised', {review: 'go', scope: 'stop'})).toEqual({
		...{checkpoint: 'ask', review: 'ask', scope: 'stop'},
	});
});

describe('a value of the wrong kind', () => {
	test.each([
		['task: 12', '1:7 `task` must be text, but is a number.'],
		['task:', '1:6 `task` is empty.'],
		['task: "  "', '1:7 `task` must not be empty.'],
		['verify: npm test', '1:9 `verify` must be a list, but is text.'],
		['success:\n  - p99: 1', '2:5 An entry of `success` must be text, but is a map.'],
		['success:\n  - [a]', '2:5 An entry of `success` must be text, but is a list.'],
		[
			'supervision: none',
			'1:14 `supervision` must be `supervised`, `semi-autonomous`, or a map such as {checkpoint: go, scope: stop}.',
		],
		['supervision: {checkpoint: stop}', '1:27 `checkpoint` must be `ask` or `go`.'],
		['supervision: {conflict: go}', '1:15 `conflict` is not a known key.'],
		[
			'agents: [claude]',
			'1:10 An entry of `agents` must be a map of keys and values, but is text.',
		],
		[`verify: [${'x,'.repeat(101)}]`, '1:9 `verify` must have at most 100 entries.'],
	])('in the plan: %s', (text, problem) => {
		expect(problemsOf(text)).toContain(problem);
	});

	test.each([
		['goal: true', '5:11 `goal` must be text, but is true or false.'],
		['scope: src/**', '5:12 `scope` must be a map of keys and values, but is text.'],
		['tokens: 1.5', '5:13 `tokens` must be a whole number.'],
		['tokens: many', '5:13 `tokens` must be a number, but is text.'],
		['tokens: 0', '5:13 `tokens` must be at least 1.'],
		['thinking: thikn', '5:15 `thinking` must be `standard`, `think` or `think-hard`.'],
		['timeout: 90', '5:14 `timeout` must be a duration such as 1h, 90s, 30min or 1h30m.'],
		['timeout: ten minutes', '5:14 `timeout` must be a duration such as 1h, 90s, 30min or 1h30m.'],
		['timeout: 0s', '5:14 `timeout` must be between 1s and 168h.'],
		['timeout: 1000h', '5:14 `timeout` must be between 1s and 168h.'],
		['timeout:', '5:13 `timeout` is empty.'],
		['id: agt-1', '5:9 `id` must be `AGT-` and at least three digits, such as AGT-001.'],
		[
			'expect: [summary]',
			'5:14 An entry of `expect` must be a signal in upper case, such as SUMMARY.',
		],
		[
			'behavior: /etc/passwd',
			'5:15 `behavior` is absolute; it starts at the root of the repository.',
		],
		['inputs: [../x]', '5:14 An entry of `inputs` holds `..`; it can’t leave the repository.'],
		['output: ""', '5:13 `output` is empty.'],
		['agent: 7', '5:12 `agent` must be the name of a profile, or a map with a command.'],
		['agent: {protocol: mcp, command: [x]}', '5:23 `protocol` must be `text` or `acp`.'],
		['agent: {command: [x]}', '5:12 `protocol` is missing: it must be `text` or `acp`.'],
		['agent: {protocol: acp, command: []}', '5:37 `command` must have at least 1 entry.'],
		['agent: {protocol: acp, command: [x], reply: stdin}', '5:42 `reply` is not a known key.'],
		['agent: {protocol: text}', '5:12 `command` is missing.'],
		['agent: {protocol: text, command: []}', '5:38 `command` must have at least 1 entry.'],
		[
			'agent: {protocol: text, command: [""]}',
			'5:38 `command` must start with the name of a program.',
		],
		[
			'agent: {protocol: text, command: [x], env: {"A=B": x}}',
			'5:49 `A=B` can’t name an environment variable.',
		],
	])('in an agent: %s', (keys, problem) => {
		expect(problemsOf(withAgent(keys))).toEqual([problem]);
	});

	test('the message does not repeat a value, since it may be secret', () => {
		const text = withAgent('agent: {protocol: text, command: [x], env: {KEY: 987654}}');
		const {problems} = parse(text);
		expect(show(problems)).toEqual(['5:54 `KEY` must be text, but is a number.']);
		expect(JSON.stringify(problems)).not.toContain('987654');
	});

	test.each([
		'env: {KEY: "987654" 987654}',
		'env: {KEY: *987654}',
		'env: {KEY: !987654 x}',
		'env: {KEY: @987654}',
		'env: {KEY: "\\987654"}',
	])('nor does that of YAML: %s', env => {
		const {problems} = parse(withAgent(`agent: {protocol: text, command: [x], ${env}}`));
		expect(problems.length).toBeGreaterThan(0);
		expect(JSON.stringify(problems)).not.toContain('987654');
	});
});

describe('a bad glob', () => {
	test.each([
		['/src/**', 'is absolute; it starts at the root of the repository'],
		['../src/**', 'holds `..`; it can’t leave the repository'],
		['./src/**', 'holds a `.` step; it starts at the root of the repository anyway'],
		['', 'is empty'],
		['src\\**', 'holds a backslash; steps are separated by `/`, and nothing is escaped'],
		['src/{a,b', 'has unbalanced braces'],
	])('%s is refused where it stands', (glob, why) => {
		const text = withAgent(`scope: {forbidden: [ok, ${JSON.stringify(glob)}]}`);
		expect(problemsOf(text)).toEqual([`5:29 An entry of \`forbidden\` ${why}.`]);
	});
});

describe('an unknown key', () => {
	test.each([
		['sucess: []', '1:1', 'sucess', 'Did you mean `success`?'],
		['AGENTS: []', '1:1', 'AGENTS', 'Did you mean `agents`?'],
		['__proto__: []', '1:1', '__proto__', 'Known here: version, task, context'],
		['<<: {task: x}', '1:1', '<<', 'Known here: version, task'],
		[withAgent('behaviour: x'), '5:5', 'behaviour', 'Did you mean `behavior`?'],
		[withAgent('scope: {allow: [a]}'), '5:13', 'allow', 'Did you mean `allowed`?'],
		[
			withAgent('agent: {protocol: text, command: [x], evn: {}}'),
			'5:43',
			'evn',
			'Did you mean `env`?',
		],
		[withAgent('branch: main'), '5:5', 'branch', 'Known here: id, subtask, goal'],
	])('%s', (text, place, key, hint) => {
		const problem = parse(text).problems.find(({message}) => message.includes('not a known key'));
		expect(problem && show([problem])).toEqual([`${place} \`${key}\` is not a known key.`]);
		expect(problem?.hint).toContain(hint);
	});

	test('is told together with all others, in the order of the file', () => {
		expect(
			problemsOf('version: 1\ntsk: x\nagents:\n  - {subtask: a, gaol: x}\nverfy: []\n'),
		).toEqual([
			'1:1 `task` is missing.',
			'2:1 `tsk` is not a known key.',
			'4:18 `gaol` is not a known key.',
			'5:1 `verfy` is not a known key.',
		]);
	});
});

describe('agents that do not fit together', () => {
	test.each([
		[
			'two with one id',
			['subtask: a, id: AGT-007', 'subtask: b, id: AGT-007'],
			'5:22 Another agent has the id AGT-007 already.',
		],
		[
			'one that waits for itself',
			['subtask: a, after: [AGT-001]'],
			'4:25 AGT-001 waits for itself.',
		],
		[
			'those that wait in a circle, named along it without those who only lead to it',
			[
				'subtask: a, after: [AGT-002]',
				'subtask: b, after: [AGT-005, AGT-003]',
				'subtask: c, after: [AGT-004]',
				'subtask: d, after: [AGT-002]',
				'subtask: e',
			],
			'5:25 These agents wait for each other: AGT-002 → AGT-003 → AGT-004 → AGT-002.',
		],
	])('%s', (_, agents, problem) => {
		expect(problemsOf(withAgents(...agents))).toEqual([problem]);
	});

	test('one that waits for nobody there is', () => {
		const {problems} = parse(withAgents('subtask: a, after: [AGT-002]'));
		expect(show(problems)).toEqual(['4:26 There is no agent AGT-002.']);
		expect(problems[0]?.hint).toBe('There are: AGT-001.');
	});
});

describe('an agent profile', () => {
	test('that is not known is answered with those that are', () => {
		const {problems} = parse(withAgents('subtask: a, agent: cluade'));
		expect(show(problems)).toEqual(['4:25 There is no agent profile `cluade`.']);
		expect(problems[0]?.hint).toBe('Did you mean `claude`? Known profiles: claude, codex.');
	});

	test('is never something that every object has', () => {
		expect(problemsOf(withAgents('subtask: a, agent: constructor'))).toEqual([
			'4:25 There is no agent profile `constructor`.',
		]);
	});

	test('is `claude` by default, and an error says so when there is none', () => {
		const {problems} = parsePlan(withAgents('subtask: a'), {file: 'plan.yaml', profiles: {}});
		expect(show(problems)).toEqual([
			'4:5 This agent names no profile, and the config has no profile `claude` to take instead.',
		]);
		expect(problems[0]?.hint).toContain('Add one to `agents` in the config');
	});
});

test('the schema can be published', () => {
	expect(z.toJSONSchema(planFileSchema, {io: 'input'})).toMatchObject({
		required: ['version', 'task', 'agents'],
		additionalProperties: false,
	});
});

test('a name that stands for nothing is an error with its place', () => {
	const nothing = (place: string, name: string) => `${place} There is no variable \`\${${name}}\`.`;
	expect(
		problemsOf(`version: 1
task: Limit the rate
env: {PORT: "\${DELEGATE_PROT}", TEXT: "$\${HOME}"}
copy: [{from: .env, set: {HOST: "\${HOST}"}}]
verify: ['test "\${DELEGATE_PORTS_}" && test "\${HOME}"']
agents:
  - subtask: a
    agent: {protocol: text, command: [x], env: {A: "\${DELEGATE_NOTHING_LIKE_IT}"}}
`),
	).toEqual([
		nothing('3:13', 'DELEGATE_PROT'),
		nothing('4:33', 'HOST'),
		nothing('5:10', 'DELEGATE_PORTS_'),
		nothing('8:52', 'DELEGATE_NOTHING_LIKE_IT'),
	]);
});
