import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {AgentCommand, Plan, Subtask} from '../../../src/events/plan.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {
	beginComposition,
	type Composition,
	withoutSubtask,
	withSubtask,
	withText,
} from '../../../src/tui/plan/composition.ts';
import type {Field} from '../../../src/tui/plan/fields.ts';
import {joinCommands, joinWords} from '../../../src/tui/plan/fields.ts';
import {openPlan, writtenPlan} from '../../../src/tui/plan/plan-file.ts';
import {desk, opened} from './a-form.ts';

const names = Object.keys(desk.profiles);

const parse = (text: string) => {
	const parsed = parsePlan(text, {file: 'plan.yaml', profiles: desk.profiles});
	if (parsed.plan === undefined) {
		throw new Error(JSON.stringify([text, parsed.problems]));
	}

	return parsed;
};

const words = fc
	.string({unit: fc.constantFrom(...'ab: #-\'"\\\n[]{}*&!|>%@`,?é日')})
	.filter(text => text.trim() !== '');
const command = words.filter(text => !/^\s/.test(text));
const glob = fc.constantFrom(
	'src/**',
	'*.ts',
	'**/x',
	'my docs/**',
	"it's/*",
	'{a,b}/c',
	'[id].ts',
);

const commands: Readonly<Record<'claude' | 'codex', AgentCommand>> = {
	claude: {protocol: 'acp', command: ['claude-acp']},
	codex: {protocol: 'text', command: ['codex', 'exec']},
};

type Who = keyof typeof commands | AgentCommand;

const who: fc.Arbitrary<Who> = fc.oneof(
	fc.constantFrom('claude' as const, 'codex' as const),
	fc.constantFrom<AgentCommand>(
		{protocol: 'text', command: ['bash', 'a "b" c']},
		{protocol: 'acp', command: ['agent']},
	),
);

/** A plan as a person means it. */
type Written = {
	readonly task: string;
	readonly verify: readonly string[];
	readonly target: string | undefined;
	readonly parts: readonly {
		readonly subtask: string;
		readonly goal: string | undefined;
		readonly allowed: readonly string[];
		readonly forbidden: readonly string[];
		readonly agent: Who;
	}[];
};

const part = fc.record({
	subtask: words,
	goal: fc.option(words, {nil: undefined}),
	allowed: fc.array(glob),
	forbidden: fc.array(glob),
	agent: who,
});

const anyPlan: fc.Arbitrary<Written> = fc.record({
	task: words,
	verify: fc.array(command),
	target: fc.option(fc.constantFrom('main', 'release/1.0', 'yes', '1'), {nil: undefined}),
	parts: fc.array(part, {minLength: 1, maxLength: 3}),
});

/** Writes it as a person would. */
const compose = ({task, verify, target, parts}: Written): Composition => {
	let composition = beginComposition(task, '');
	for (const _ of parts.slice(1)) {
		composition = withSubtask(composition, '');
	}

	const write = (field: Field, text: string): void => {
		composition = withText(composition, field, text);
	};

	write({part: 'verify'}, joinCommands(verify));
	write({part: 'target'}, target ?? '');
	for (const [agent, {subtask, goal, allowed, forbidden, agent: who}] of parts.entries()) {
		write({part: 'subtask', agent}, subtask);
		write({part: 'goal', agent}, goal ?? '');
		write({part: 'allowed', agent}, joinWords(allowed));
		write({part: 'forbidden', agent}, joinWords(forbidden));
		const line = typeof who === 'string' ? who : `${who.protocol}: ${joinWords(who.command)}`;
		write({part: 'agent', agent}, line);
	}

	return composition;
};

const expected = ({task, verify, target, parts}: Written): Plan => ({
	task,
	success: [],
	...(target === undefined ? {} : {target}),
	setup: [],
	copy: [],
	verify,
	supervision: 'supervised',
	agents: parts.map(({subtask, goal, allowed, forbidden, agent}, index) => {
		return {
			id: `AGT-00${index + 1}`,
			subtask,
			...(goal === undefined ? {} : {goal}),
			scope: {allowed, forbidden},
			agent: typeof agent === 'object' ? agent : commands[agent],
			...(typeof agent === 'object' ? {} : {profile: agent}),
			origin: {
				by: typeof agent === 'object' ? 'the plan' : 'built in',
				variables: agent === 'codex' ? ['TOKEN'] : [],
			},
			inputs: [],
			metrics: [],
			after: [],
			timeoutMs: 3_600_000,
			thinking: 'standard',
			expect: [],
		};
	}),
});

test('what is composed, written as YAML and parsed is the plan that was meant', () => {
	fc.assert(
		fc.property(anyPlan, written => {
			expect(parse(writtenPlan(compose(written), names)).plan).toEqual(expected(written));
		}),
	);
});

test('a plan that was saved and opened again is the same, and its file does not change', () => {
	fc.assert(
		fc.property(anyPlan, written => {
			const text = writtenPlan(compose(written), names);
			const {source: _, ...form} = opened(text);
			expect(writtenPlan({...form, source: {text, form}}, names)).toBe(text);
			const rewritten = {...form, subtasks: form.subtasks.map(({origin: _, ...rest}) => rest)};
			expect(parse(writtenPlan(rewritten, names)).plan).toEqual(expected(written));
		}),
	);
});

const full = `# the plan of the week
version: 1
task: Rate-limit the public API
context: Express app
success: [npm test passes]
target: main
setup: [npm ci]
verify: [npm test]
agents:
  # it begins
  - subtask: Token bucket middleware # in src
    goal: Limited
    scope: {allowed: ["src/api/**"], forbidden: [src/api/old/**]}
    agent: {protocol: text, command: [bash, agent.sh], reply: stdin, env: {TOKEN: secret}}
    behavior: agents/backend.md
    inputs: [docs/limits.md]
    timeout: 30m
    tokens: 1000
  - subtask: Say so in the form
    agent: claude
    after: [AGT-001]
  - subtask: Describe it in the manual
    agent: codex
    after: [AGT-001, AGT-002]
`;

/** Returns what happens to a plan when only those parts of one agent change. */
const changed =
	(index: number, parts: Partial<Subtask>) =>
	(plan: Plan): Plan => ({
		...plan,
		agents: plan.agents.map((agent, at) => (at === index ? {...agent, ...parts} : agent)),
	});

describe('a plan file that is opened', () => {
	test.each<[Field, string, (plan: Plan) => Plan]>([
		[{part: 'verify'}, 'make\nmake lint', plan => ({...plan, verify: ['make', 'make lint']})],
		[{part: 'verify'}, '', plan => ({...plan, verify: []})],
		[{part: 'target'}, '', ({target: _, ...plan}) => plan],
		[{part: 'subtask', agent: 0}, 'Leaky bucket', changed(0, {subtask: 'Leaky bucket'})],
		[
			{part: 'allowed', agent: 0},
			'a/** "b c"',
			changed(0, {scope: {allowed: ['a/**', 'b c'], forbidden: ['src/api/old/**']}}),
		],
		[{part: 'forbidden', agent: 1}, 'x', changed(1, {scope: {allowed: [], forbidden: ['x']}})],
		[
			{part: 'agent', agent: 0},
			'sh other.sh',
			changed(0, {agent: {protocol: 'text', command: ['sh', 'other.sh'], reply: 'stdin'}}),
		],
		[
			{part: 'agent', agent: 0},
			'acp: other',
			changed(0, {agent: {protocol: 'acp', command: ['other']}}),
		],
		[{part: 'mode', agent: 1}, ' plan ', changed(1, {mode: 'plan'})],
		[{part: 'own_supervision', agent: 1}, 'supervised', changed(1, {supervision: 'supervised'})],
		[{part: 'images', agent: 1}, 'a.png "b c.png"', changed(1, {images: ['a.png', 'b c.png']})],
		[
			{part: 'mcp_servers', agent: 1},
			'- name: docs\n  command: [npx, docs-mcp]\n- {name: web, url: "https://x.example/mcp"}',
			changed(1, {
				mcpServers: [
					{name: 'docs', command: ['npx', 'docs-mcp'], env: []},
					{name: 'web', type: 'http', url: 'https://x.example/mcp', headers: {}},
				],
			}),
		],
	])('and changed at %j is changed there only', (field, text, change) => {
		const before = parse(full);
		const saved = writtenPlan(withText(opened(full), field, text), names);
		const after = parse(saved);
		expect(after.plan).toEqual(change(before.plan));
		expect(after.environments).toEqual(before.environments);
		expect(saved).toContain('# the plan of the week');
		expect(saved).toContain('# in src');
	});

	test('shows what it says of servers as it stands there, and what is no list of them stays to be mended', () => {
		const servers = full.replace(
			'    after: [AGT-001]\n',
			'    mcp_servers: [{name: docs, command: [npx, docs-mcp]}]\n',
		);
		const shown = opened(servers);
		expect(shown.subtasks[1]?.mcp_servers).toBe(
			'- name: docs\n  command:\n    - npx\n    - docs-mcp',
		);
		for (const text of ['- [oh', '- {toString: x}']) {
			const wrong = writtenPlan(withText(shown, {part: 'mcp_servers', agent: 1}, text), names);
			expect(wrong).toContain(text.slice('- '.length));
			expect(() => parse(wrong)).toThrow(/mcp_servers|list|array/i);
		}
	});

	test('keeps the way that everything is written which was not changed', () => {
		expect(writtenPlan(opened(full), names)).toBe(full);
		const saved = writtenPlan(withText(opened(full), {part: 'task'}, 'Anew'), names);
		expect(saved).toBe(full.replace('Rate-limit the public API', 'Anew'));
	});

	test('keeps its ids when an agent is taken out, and nobody waits for that one', () => {
		const {plan} = parse(writtenPlan(withoutSubtask(opened(full), 0), names));
		expect(plan.agents.map(({id, after}) => [id, after])).toEqual([
			['AGT-002', []],
			['AGT-003', ['AGT-002']],
		]);
	});

	test('gives an agent that is added after one was taken out an id of its own', () => {
		const composition = withSubtask(withoutSubtask(opened(full), 2), 'claude');
		const {plan} = parse(
			writtenPlan(withText(composition, {part: 'subtask', agent: 2}, 'One more'), names),
		);
		expect(plan.agents.map(({id}) => id)).toEqual(['AGT-001', 'AGT-002', 'AGT-004']);
	});

	test('may have parts that stand for each other', () => {
		const text =
			'version: 1\ntask: Try\nagents:\n  - {subtask: One, agent: &who claude}\n  - {subtask: Two, agent: *who}\n';
		const {plan} = parse(writtenPlan(withoutSubtask(opened(text), 0), names));
		expect(plan.agents.map(({subtask, profile}) => [subtask, profile])).toEqual([
			['Two', 'claude'],
		]);
	});

	test.each([
		['', /empty|missing/i],
		['task: [', /^1:8: /],
		['version: 1\ntask: Try\nagents: []\n', /^3:9: .*at least 1/],
		['version: 1\ntask: Try\ntaks: x\nagents: [{subtask: One}]\n', /^3:1: .*taks/],
	])('and is none is refused with the place of its first mistake: %j', (text, why) => {
		expect(openPlan(text, names)).toEqual({why: expect.stringMatching(why)});
	});
});
