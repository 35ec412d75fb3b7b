import {describe, expect, test} from 'vitest';
import {checkPlan, copiesKept, filesNamedIn} from '../../../src/rules/plan/check.ts';
import {joinedByAgent} from '../../../src/rules/plan/finding.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {subtask} from '../../helpers/plan.ts';
import {show} from './problems.ts';

const profiles = {claude: {protocol: 'text' as const, command: ['claude']}};

type World = {
	readonly files?: readonly string[];
	readonly existing?: readonly string[];
	readonly filesLimit?: number;
};

/** Parses a plan that has a verify command on line 3 and agents from line 5 on, and checks it; that it lacks a context and what measures it is left out. */
const check = (agents: readonly string[], {files = [], existing = [], ...limit}: World = {}) => {
	const head = ['version: 1', 'task: x', 'verify: [npm test]', 'agents:'];
	const text = [...head, ...agents.map(agent => `  - {${agent}}`)].join('\n');
	return show(checkText(text, files, existing, limit)).filter(
		line => !/`context`|`metrics`/.test(line),
	);
};

const checkText = (
	text: string,
	files: readonly string[] = [],
	existing: readonly string[] = [],
	limit: {filesLimit?: number; unreadable?: ReadonlyMap<string, string>} = {},
) => {
	const parsed = parsePlan(text, {file: 'plan.yaml', profiles});
	if (parsed.plan === undefined) {
		throw new Error(show(parsed.problems).join('\n'));
	}

	const options = {positionOf: parsed.positionOf, files, existing: new Set(existing), ...limit};
	return checkPlan(parsed.plan, options);
};

const fine = (scope: string, more = ''): string =>
	`subtask: Build the token bucket, goal: it works, scope: {allowed: [${scope}]}${more}`;

test('a plan in which everything is said has no problems', () => {
	const agents = [
		fine('src/api/**', ', behavior: .claude/agents/api.md, inputs: [docs/api.md]'),
		fine('src/web/**', ', output: src/web/README.md, after: [AGT-001]'),
	];
	const existing = ['.claude/agents/api.md', 'docs/api.md'];
	expect(check(agents, {files: ['src/api/a.ts', 'src/web/b.ts'], existing})).toEqual([]);
});

test('a scope lies inside the checkout of its agent', () => {
	const files = ['root.md', 'apps/a.md', 'apps/shop/a.ts', 'apps/shop/lib/b.ts', 'apps/bank/c.ts'];
	const beyond = (checkout: string, glob: string) =>
		check([fine(`"${glob}"`, `, checkout: [${checkout}]`)], {files}).filter(line =>
			line.includes('checkout'),
		);
	for (const glob of [
		'apps/shop/**',
		'apps/shop',
		'apps/shop/*.ts',
		'apps/*.md',
		'*.md',
		'root.md',
	]) {
		expect([glob, beyond('apps/shop', glob)]).toEqual([glob, []]);
	}

	for (const glob of ['apps/**', 'apps', 'apps/', '**/*.ts', '*/shop/a.ts', 'apps/{shop,bank}/*']) {
		expect([glob, beyond('apps/shop/', glob)]).toEqual([
			glob,
			[`5:73 \`${glob}\` in \`scope.allowed\` of AGT-001 reaches beyond its \`checkout\`.`],
		]);
	}
});

test('a package that a scope names stands for its folder, and one that is unknown is named', () => {
	const text = (name: string) => `version: 1
task: x
checkout: ["package:@shop/api", docs]
agents:
  - {${fine(`"package:${name}", "docs/**"`)}}`;
	const packages = [{of: 'npm' as const, name: '@shop/api', folder: 'packages/api', entries: []}];
	const read = (name: string) => parsePlan(text(name), {file: 'plan.yaml', profiles, packages});
	expect(read('@shop/api').plan?.agents[0]).toMatchObject({
		scope: {allowed: ['packages/api/**', 'docs/**'], forbidden: []},
		checkout: ['packages/api', 'docs'],
	});
	const files = ['packages/api/a.ts', 'docs/a.md'];
	const {plan, positionOf = () => ({file: '', line: 0, column: 0})} = {
		positionOf: undefined,
		...read('@shop/app'),
	};
	const problems =
		plan === undefined ? [] : checkPlan(plan, {positionOf, files, existing: new Set()});
	expect(problems.map(({message}) => message)).toContain(
		'No workspace here has the package that `package:@shop/app` names.',
	);
});

test('a plan without a verify command is warned of', () => {
	const problems = checkText(
		`version: 1\ntask: x\ncontext: x\nsuccess: [x]\nagents:\n  - {${fine('src')}}`,
	);
	expect(show(problems)).toEqual([
		'1:1 warning: The plan has no `verify` command, so nothing tests the merged result.',
	]);
});

test('a plan that says nothing of the repository, or by what it is judged, is warned of with the reason', () => {
	const lacks = (more: string) =>
		show(checkText(`version: 1\ntask: x\nverify: [x]\n${more}\nagents:\n  - {${fine('src')}}`));
	const metrics =
		'6:5 warning: AGT-001 has no `metrics` and the plan no `success`, so nothing says how its result is judged.';
	const context =
		'1:1 warning: The plan has no `context`, so each agent has to find out by itself what matters in this repository.';
	expect(lacks('')).toEqual([context, metrics]);
	expect(lacks('context: Express app')).toEqual([metrics]);
	expect(lacks('success: [npm test passes]')).toEqual([context]);
});

test('an agent that is not installed is warned of with what brings it', () => {
	const absence = {why: '`claude` is not installed', hint: 'install it: npm install -g it'};
	const parsed = parsePlan(`version: 1\ntask: x\nagents:\n  - {${fine('src')}, agent: claude}`, {
		file: 'plan.yaml',
		profiles,
	});
	const problems =
		parsed.plan === undefined
			? []
			: checkPlan(parsed.plan, {
					positionOf: parsed.positionOf,
					files: [],
					existing: new Set(),
					absent: new Map([['AGT-001', absence]]),
				});
	expect(problems).toContainEqual({
		level: 'warning',
		message: 'The agent `claude` of AGT-001 can’t be started here: `claude` is not installed.',
		hint: absence.hint,
		file: 'plan.yaml',
		line: 4,
		column: 87,
	});
});

test('a glob that matches no file is warned of, unless it names what is to be made', () => {
	const scope =
		'"src/**", "scr/api/**", docs/new.md, src/new.ts, "src/made/**", "src/*.tsx", ".claude/x"], forbidden: ["src/legcay/**", "src/old/**"';
	const files = ['src/a.ts', 'src/old/a.ts', 'src/mode/a.ts'];
	expect(check([fine(scope)], {files})).toEqual([
		'5:83 warning: `scr/api/**` in `scope.allowed` of AGT-001 matches no existing file.',
		'5:122 warning: `src/made/**` in `scope.allowed` of AGT-001 matches no existing file.',
		'5:137 warning: `src/*.tsx` in `scope.allowed` of AGT-001 matches no existing file.',
		'5:150 warning: `.claude/x` in `scope.allowed` of AGT-001 matches no existing file.',
		'5:176 warning: `src/legcay/**` in `scope.forbidden` of AGT-001 matches no existing file.',
	]);
	const text = `version: 1\ntask: x\nagents:\n  - {${fine('"scr/api/**"')}}`;
	expect(checkText(text, files).map(({hint}) => hint)).toContain('Did you mean `src`?');
});

describe('files that the plan names', () => {
	test('are listed once each, for the caller to look up', () => {
		const text = [
			'version: 1\ntask: x\nagents:',
			'  - {subtask: a, behavior: b.md, inputs: [i.md, b.md]}',
			'  - {subtask: a, inputs: [i.md, j.md], output: o.md}',
		].join('\n');
		const {plan} = parsePlan(text, {file: 'plan.yaml', profiles});
		expect(plan && filesNamedIn(plan)).toEqual(['b.md', 'i.md', 'j.md']);
	});

	test('a behavior file that is missing is an error', () => {
		expect(check([fine('src', ', behavior: .claude/agents/api.md')])).toEqual([
			'5:90 The behavior file `.claude/agents/api.md` of AGT-001 does not exist.',
		]);
	});

	test('an input that is missing is warned of, unless another agent may write it', () => {
		const reader = fine('src', ', inputs: [docs/a.md, docs/b.md]');
		expect(check([reader, fine('docs/a.md')])).toEqual([
			'5:100 warning: The input `docs/b.md` of AGT-001 does not exist, and no other agent may write it.',
		]);
	});

	test('an input that only the agent itself may write is warned of', () => {
		expect(check([fine('src', ', inputs: [src/a.ts]')])).toHaveLength(1);
	});

	test('an output outside the scope is warned of', () => {
		expect(check([fine('src', ', output: docs/a.md')])).toEqual([
			'5:88 warning: AGT-001 is to write `docs/a.md`, but its scope does not allow that.',
		]);
	});
});

describe('a subtask', () => {
	const scope = 'scope: {allowed: [src]}';

	test('with a goal is not vague, however few its words are', () => {
		expect(check([`subtask: Fix bugs, goal: works, ${scope}`])).toEqual([]);
	});

	test('without a goal is vague', () => {
		expect(check([`subtask: Fix the bugs, ${scope}`])).toEqual([
			'5:5 warning: The subtask of AGT-001 is vague: it has no `goal`, so its agent decides by itself when it is done.',
		]);
	});

	test('without a scope only reads', () => {
		expect(check(['subtask: Fix the bugs, goal: works'], {files: ['a']})).toEqual([
			'5:5 warning: AGT-001 has no `scope.allowed`, so it can only read.',
		]);
	});
});

describe('the size of a scope', () => {
	const files = Array.from({length: 21}, (_, index) => `src/${index}.ts`);

	test('may be 20 files', () => {
		expect(check([fine('src')], {files: files.slice(1)})).toEqual([]);
	});

	test('is warned of when it is more', () => {
		expect(check([fine('src')], {files: [...files, 'test/a.ts']})).toEqual([
			'5:72 warning: The scope of AGT-001 holds 21 files, more than 20.',
		]);
	});

	test('counts only what is allowed', () => {
		const agent = `subtask: Build it now, goal: x, scope: {allowed: [src], forbidden: [src/0.ts]}`;
		expect(check([agent], {files})).toEqual([]);
	});

	test('has the limit of the config', () => {
		expect(check([fine('src')], {files: files.slice(0, 3), filesLimit: 2})).toHaveLength(1);
	});
});

describe('scopes that overlap', () => {
	test('name both agents and some of the files', () => {
		const files = ['src/a.ts', 'src/b.ts', 'src/c.css', 'src/d.ts', 'src/e.ts', 'test/a.ts'];
		expect(check([fine('src'), fine('"**/*.ts"')], {files})).toEqual([
			'6:62 warning: AGT-001 and AGT-002 are conflict-prone: both may write `src/a.ts`, `src/b.ts`, `src/d.ts` and 1 more.',
		]);
	});

	test('are told for each pair', () => {
		const problems = check([fine('a.ts'), fine('a.ts, b.ts'), fine('b.ts')], {
			files: ['a.ts', 'b.ts'],
		});
		expect(problems).toEqual([
			'6:62 warning: AGT-001 and AGT-002 are conflict-prone: both may write `a.ts`.',
			'7:62 warning: AGT-002 and AGT-003 are conflict-prone: both may write `b.ts`.',
		]);
	});

	test.each([
		['src/**', 'src/**', 'src/new'],
		['src/**', 'src/api/**', 'src/api/new'],
		['src', 'src/api/', 'src/api/new'],
		['"**"', 'src/api/*.ts', 'src/api/new.ts'],
		['src/api/**', 'src/**/*.ts', 'src/api/new.ts'],
		['src/**/gen/**/*.ts', 'src/api/**', 'src/api/gen/new.ts'],
		['src/api', 'src/**/*.ts', 'src/api/new.ts'],
		['"src/{api,web}/**"', 'src/web/*', 'src/web/new'],
		['src/limit.ts', 'src/*.ts', 'src/limit.ts'],
		['"app/[id]/**"', '"app/[id]/page.tsx"', 'app/[id]/page.tsx'],
	])('%s and %s do, though no file exists yet', (one, other, example) => {
		const expected = `conflict-prone: both may write new files such as \`${example}\`.`;
		expect(check([fine(one), fine(other)])).toEqual([expect.stringContaining(expected)]);
		expect(check([fine(other), fine(one)])).toEqual([expect.stringContaining(expected)]);
	});

	test.each([
		['src/**', 'test/**'],
		['src/api/**', 'src/web/**'],
		['src/api/*.ts', 'src/**/*.css'],
		['src/*', 'src/api/*'],
		['src/limit.ts', 'src/**/*.css'],
		['src/api.ts', 'src/api/**'],
		['source/**', 'src/**'],
	])('%s and %s do not', (one, other) => {
		expect(check([fine(one), fine(other)])).toEqual([]);
		expect(check([fine(other), fine(one)])).toEqual([]);
	});

	test('a file is no folder that another glob could reach into', () => {
		const scopes = [fine('Makefile'), fine('"**/*.css"')];
		expect(check(scopes, {files: ['Makefile', 'a.css']})).toEqual([]);
	});

	test('what one of them is forbidden is no overlap', () => {
		const first = 'subtask: Build it now, goal: x, scope: {allowed: [src], forbidden: [src/api]}';
		expect(check([first, fine('src/api/**')], {files: ['src/api/a.ts']})).toEqual([]);
	});

	test('globs without bound are compared in bounded time', () => {
		const agents = Array.from({length: 6}, (_, agent) =>
			fine(Array.from({length: 60}, (_, glob) => `"**/{a,b}${glob}/**/only${agent}*"`).join(',')),
		);
		expect(check(agents)).toEqual([]);
	});
});

test('a glob that matches no file is compiled once, however many files there are', () => {
	const files = Array.from({length: 10_000}, (_, number) => `src/part${number % 100}/${number}.ts`);
	const leastCpu = (work: () => unknown): number =>
		Math.min(
			...[1, 2, 3].map(() => {
				const from = process.cpuUsage();
				work();
				const {user, system} = process.cpuUsage(from);
				return user + system;
			}),
		);
	const matching = leastCpu(() => check([fine('"src/part0/*.ts"')], {files}));
	const unmatched = leastCpu(() => check([fine('"src/*/*.tsx"')], {files}));
	expect(unmatched).toBeLessThan(5 * matching);
});

test('a file that can’t be copied to the agent that is to read it is an error at its place', () => {
	const text = `version: 1\ntask: x\nverify: [x]\nagents:\n  - {${fine('src', ', inputs: [a.md, pipe]')}}`;
	const problems = checkText(text, ['src/a.ts', 'a.md'], ['a.md', 'pipe'], {
		unreadable: new Map([['pipe', 'is neither a file nor a folder']]),
	});
	expect(show(problems)).toContain(
		'5:95 `pipe`, which AGT-001 is to read, is neither a file nor a folder.',
	);
});

test('an agent may not write what it gets a copy of, and no scope changes for what is tracked', () => {
	const reads = {behavior: '.claude/agents/own.md', inputs: ['src/a.ts', 'notes.md', 'old/*']};
	const one = subtask('AGT-001', {...reads, scope: {allowed: ['**'], forbidden: ['lib']}});
	const kept = copiesKept(one, ['src/a.ts'], new Set([reads.behavior, ...reads.inputs]));
	expect(kept.scope.forbidden).toEqual(['lib', 'notes.md', 'notes.md/**', 'old/?', 'old/?/**']);
	expect(copiesKept(one, ['src/a.ts'], new Set(['src/a.ts']))).toBe(one);
});

test('warnings that differ only in their agent take one line, and others a line each', () => {
	const agents = ['a', 'b', 'c'].map(name => `  - {subtask: It, scope: {allowed: [${name}/**]}}`);
	const problems = checkText(['version: 1', 'task: x', 'agents:', ...agents].join('\n'));
	const ids = ['AGT-001', 'AGT-002', 'AGT-003'];
	expect(problems).toHaveLength(8);
	expect(joinedByAgent(problems, ids).map(({line, message}) => [line, message])).toEqual([
		[1, expect.stringContaining('`context`')],
		[1, expect.stringContaining('`verify`')],
		[
			4,
			'The subtask of each of AGT-001, AGT-002 and AGT-003 is vague: it has no `goal`, so its agent decides by itself when it is done.',
		],
		[
			4,
			'Each of AGT-001, AGT-002 and AGT-003 has no `metrics` and the plan no `success`, so nothing says how its result is judged.',
		],
	]);
	const error = problems.map(problem => ({...problem, level: 'error' as const}));
	expect(joinedByAgent(error, ids)).toEqual(error);
});
