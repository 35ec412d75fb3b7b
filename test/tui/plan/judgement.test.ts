import {describe, expect, test} from 'vitest';
import {
	beginComposition,
	type Composition,
	withSubtask,
	withText,
} from '../../../src/tui/plan/composition.ts';
import type {Field} from '../../../src/tui/plan/fields.ts';
import {judgementOf} from '../../../src/tui/plan/judgement.ts';
import {desk, opened} from './a-form.ts';

const written = (fields: readonly (readonly [Field, string])[]): Composition =>
	fields.reduce(
		(composition, [field, text]) => withText(composition, field, text),
		withSubtask(beginComposition('', 'claude'), 'claude'),
	);

const judged = (composition: Composition, existing: readonly string[] = []) =>
	judgementOf(composition, {...desk, isThere: path => existing.includes(path)});

const overlapping = written([
	[{part: 'allowed', agent: 0}, 'src/api/** test/**'],
	[{part: 'forbidden', agent: 0}, 'src/api/routes.ts'],
	[{part: 'allowed', agent: 1}, 'src/**'],
]);

const ready: readonly (readonly [Field, string])[] = [
	[{part: 'task'}, 'Rate-limit the API'],
	[{part: 'context'}, 'Express app'],
	[{part: 'success'}, 'npm test passes'],
	[{part: 'verify'}, 'npm test'],
	[{part: 'subtask', agent: 0}, 'Token bucket middleware'],
	[{part: 'goal', agent: 0}, 'Limited'],
	[{part: 'allowed', agent: 0}, 'src/api/**'],
	[{part: 'subtask', agent: 1}, 'Say so in the form'],
	[{part: 'goal', agent: 1}, 'Said'],
	[{part: 'allowed', agent: 1}, 'src/ui/**'],
];

describe('a plan that is being written', () => {
	test('tells which tracked files each agent may write', () => {
		expect(judged(overlapping).reach).toEqual([
			['src/api/limit.ts', 'test/api/limit.test.ts'],
			['src/api/limit.ts', 'src/api/routes.ts', 'src/ui/form.ts', 'src/ui/login.ts'],
		]);
	});

	test('warns of scopes that overlap before the rest can be read', () => {
		const {findings} = judged(overlapping);
		expect(findings).toContainEqual({
			level: 'warning',
			agent: 1,
			message: 'AGT-001 and AGT-002 are conflict-prone: both may write `src/api/limit.ts`.',
			hint: expect.any(String),
		});
	});

	test('is told what is missing, and in whose part', () => {
		const open = judged(overlapping).findings.filter(({level}) => level !== 'warning');
		expect(open).toEqual([
			{level: 'open', message: '"Task" is still to be written.'},
			{level: 'open', message: '"Subtask" is still to be written.', agent: 0},
			{level: 'open', message: '"Subtask" is still to be written.', agent: 1},
		]);
	});

	test('is right when nothing is missing', () => {
		expect(judged(written(ready)).findings).toEqual([]);
	});

	test.each<[Field, string, {level: string; agent?: number; message: RegExp}]>([
		[{part: 'allowed', agent: 1}, '../x', {level: 'error', agent: 1, message: /holds `\.\.`/}],
		[
			{part: 'allowed', agent: 0},
			'"src/api/**',
			{level: 'error', agent: 0, message: /quote.*AGT-001/},
		],
		[{part: 'agent', agent: 1}, 'cluade', {level: 'error', agent: 1, message: /no agent profile/}],
		[{part: 'goal', agent: 1}, '', {level: 'warning', agent: 1, message: /AGT-002.*no `goal`/}],
		[{part: 'verify'}, '', {level: 'warning', message: /no `verify`/}],
		[{part: 'context'}, '', {level: 'warning', message: /no `context`/}],
		[{part: 'tokens', agent: 0}, 'many', {level: 'error', agent: 0, message: /`tokens` must be/}],
		[{part: 'timeout', agent: 0}, 'soon', {level: 'error', agent: 0, message: /`timeout` must/}],
		[{part: 'inputs', agent: 1}, 'no.md', {level: 'warning', agent: 1, message: /no\.md/}],
		[{part: 'allowed', agent: 0}, '', {level: 'warning', agent: 0, message: /only read/}],
	])('is told what is wrong at %j: %j', (field, text, {message, ...found}) => {
		expect(judged(written([...ready, [field, text]])).findings).toEqual([
			expect.objectContaining({...found, message: expect.stringMatching(message)}),
		]);
	});

	test('is judged by the limit of the config', () => {
		const {findings} = judgementOf(written(ready), {...desk, filesLimit: 1});
		expect(findings.map(({agent}) => agent)).toEqual([0, 1]);
	});
});

test('an agent that is not installed is told while the plan is written', () => {
	const missingProgram = ({command: [program]}: {readonly command: readonly string[]}) =>
		program === 'claude-acp' ? {why: 'it is not installed', hint: 'install it'} : undefined;
	const {findings} = judgementOf(written([...ready, [{part: 'agent', agent: 0}, 'codex']]), {
		...desk,
		missingProgram,
	});
	expect(findings).toEqual([
		{
			level: 'warning',
			agent: 1,
			message: 'The agent `claude` of AGT-002 can’t be started here: it is not installed.',
			hint: 'install it',
		},
	]);
});

test('the files that an opened plan names are looked for', () => {
	const text =
		'version: 1\nagents: [{subtask: Do this well, goal: Done, agent: claude, scope: {allowed: [src/ui]}, behavior: b.md}]\ncontext: x\nsuccess: [x]\nverify: [make]\ntask: Try\n';
	expect(judged(opened(text), ['b.md']).findings).toEqual([]);
	expect(judged(opened(text)).findings).toEqual([
		{level: 'error', agent: 0, message: expect.stringContaining('b.md')},
	]);
});
