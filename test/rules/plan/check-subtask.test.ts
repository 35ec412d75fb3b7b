import {expect, test} from 'vitest';
import {checkSubtask} from '../../../src/rules/plan/joining.ts';
import {parseSubtask} from '../../../src/rules/plan/subtask-file.ts';
import {planOf, subtask} from '../../helpers/plan.ts';
import {show} from './problems.ts';

const profiles = {
	mine: {protocol: 'text' as const, command: ['mine'], env: {A: 'b'}},
	yours: {protocol: 'text' as const, command: ['yours']},
};

const parse = (text: string) =>
	parseSubtask(text, ['AGT-002', 'AGT-003', 'AGT-004'], {file: 'sub.yaml', profiles});

const plan = planOf([subtask('AGT-001', {scope: {allowed: ['src/**'], forbidden: []}})], {
	context: 'Express app',
	success: ['npm test passes'],
});

const check = (text: string, givenUp: readonly string[] = []): readonly string[] => {
	const parsed = parse(text);
	return parsed.subtask === undefined
		? show(parsed.problems)
		: show(
				checkSubtask(plan, [parsed.subtask], {
					positionOf: parsed.positionOf,
					files: ['src/a.ts', 'docs/a.md'],
					existing: new Set(),
					givenUp,
				}),
			);
};

test('an agent’s part is read as an entry of a plan file is, with its environment apart', () => {
	const parsed = parse('subtask: Write the docs\nagent: mine\ntimeout: 10min\n');
	expect(parsed).toMatchObject({
		subtask: {id: 'AGT-002', profile: 'mine', timeoutMs: 600_000, inputs: []},
		environment: {A: 'b'},
	});
	expect(JSON.stringify(parsed.subtask)).not.toContain('"env"');
});

test('what is wrong in it has its place', () => {
	expect(check('subtask: Write it\nscop: {}\n')).toEqual(['2:1 `scop` is not a known key.']);
	expect(check('subtask: Write it\nagent: mien\n')).toEqual([
		'2:8 There is no agent profile `mien`.',
	]);
	expect(check('subtask: [\n')).toHaveLength(1);
});

test('only what concerns the new agent is told, with whom it waits for and collides', () => {
	expect(
		check(
			'subtask: Write the docs\ngoal: they are there\nagent: mine\nafter: [AGT-001, AGT-007]\nscope: {allowed: [src/a.ts]}\n',
		),
	).toEqual([
		'4:18 There is no agent AGT-007.',
		'5:8 warning: AGT-001 and AGT-002 are conflict-prone: both may write `src/a.ts`.',
	]);
});

test('nobody waits for an agent that was given up', () => {
	const text = 'subtask: Write the docs\ngoal: they are there\nagent: mine\nafter: [AGT-007]\n';
	expect(check(`${text}scope: {allowed: [docs/**]}\n`, ['AGT-007'])).toEqual([
		'4:9 AGT-007 was given up, so no agent can wait for it.',
	]);
});

test('a part that is given to several agents is one for each, known by the first', () => {
	expect(parse('subtask: Write it\nbest_of: [mine, yours]\n')).toMatchObject({
		subtask: {id: 'AGT-002', bestOf: 'AGT-002', profile: 'mine'},
		environment: {A: 'b'},
		rivals: [{subtask: {id: 'AGT-003', bestOf: 'AGT-002', profile: 'yours'}, environment: {}}],
	});
	expect(check('subtask: Write it\nbest_of: [mine, nobody]\n')).toEqual([
		'2:17 There is no agent profile `nobody`.',
	]);
	expect(check('subtask: Write it\nagent: mine\nbest_of: [mine, yours]\n')).toEqual([
		'3:10 `best_of` names the agents, so `agent` can’t be used with it.',
	]);
	const alone = parseSubtask('subtask: Write it\nbest_of: [mine, yours]\n', ['AGT-002'], {
		file: '',
		profiles,
	});
	expect(show(alone.problems ?? [])).toEqual([
		'2:10 One agent joins at a time here, so `best_of` can’t be used.',
	]);
});
