import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {agentProfile} from '../src/rules/plan/fields.ts';
import {parsePlan} from '../src/rules/plan/parse.ts';
import {planSchema} from '../src/rules/plan/schema.ts';

const [, shown = ''] =
	/<!-- plan -->\s*```yaml\n([\s\S]*?)```\s*<!-- \/plan -->/.exec(
		readFileSync('README.md', 'utf8'),
	) ?? [];

test('the plan that the README shows can be read without a complaint', () => {
	const profiles = {claude: {protocol: 'text' as const, command: ['claude', '-p']}};
	const {plan, problems} = parsePlan(shown, {file: 'README.md', profiles});
	expect(problems).toEqual([]);
	expect(plan?.agents.map(({id}) => id)).toEqual(['AGT-001', 'AGT-002']);
});

test('the plan that the README shows has every key of a plan', () => {
	const plan = parse(shown);
	const agentKeys = plan.agents.flatMap((agent: object) => Object.keys(agent));
	const ownAgents = plan.agents.map(({agent}: {agent: unknown}) => agent);
	const profileKeys = ownAgents.flatMap((agent: unknown) =>
		typeof agent === 'object' && agent !== null ? Object.keys(agent) : [],
	);
	expect(Object.keys(plan).sort()).toEqual(Object.keys(planSchema.shape).sort());
	expect([...new Set(agentKeys)].sort()).toEqual(
		Object.keys(planSchema.shape.agents.element.shape).sort(),
	);
	expect(profileKeys.sort()).toEqual(Object.keys(agentProfile.options[0].shape).sort());
});
