import {expect, test} from 'vitest';
import {builtIn} from '../../../src/agents/profiles/profiles.ts';
import {planText} from '../../../src/cli/topics/plan.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {planFileOf} from '../../../src/rules/plan/plan-file.ts';

const profiles = {...builtIn, mine: {protocol: 'text' as const, command: ['mine'], env: {A: 'b'}}};

const read = (text: string) => {
	const {plan, environments = {}} = {
		environments: {},
		...parsePlan(text, {file: 'plan', profiles}),
	};
	if (plan === undefined) {
		throw new Error(JSON.stringify(parsePlan(text, {file: 'plan', profiles}).problems));
	}

	return {plan, environments};
};

test('a session’s plan is written as a plan file that reads as the same, with its environments', () => {
	const {plan, environments} = read(planText);
	const again = read(planFileOf(plan, {profiles, environments}));
	const withoutProfiles = plan.agents.map(({profile: _, ...agent}) => agent);
	expect({
		...again.plan,
		agents: again.plan.agents.map(({profile: _, ...agent}) => agent),
	}).toEqual({...plan, agents: withoutProfiles});
	expect(again.environments).toEqual(environments);
});

test('an agent that the config still has is named, and one that it has not is spelled out', () => {
	const {plan, environments} = read(
		'version: 1\ntask: x\nagents: [{subtask: a, agent: mine}, {subtask: b, agent: codex}]\n',
	);
	expect(planFileOf(plan, {profiles, environments})).toMatch(/agent: mine\n[\s\S]*agent: codex\n/);
	expect(read(planFileOf(plan, {profiles, environments})).plan).toEqual(plan);
	const {mine: _, ...without} = profiles;
	expect(planFileOf(plan, {profiles: without, environments})).toContain('env:\n        A: b');
});

test('a scope that has grown by hundreds of granted paths can still be read', () => {
	const {plan, environments} = read('version: 1\ntask: x\nagents: [{subtask: a, agent: mine}]\n');
	const allowed = Array.from({length: 500}, (_, index) => `gen/file-${index}.txt`);
	const agents = plan.agents.map(agent => ({...agent, scope: {allowed, forbidden: []}}));
	const text = planFileOf({...plan, agents}, {profiles, environments});
	expect(read(text).plan.agents[0]?.scope.allowed).toEqual(allowed);
});
