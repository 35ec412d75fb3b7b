import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {installCommand} from '../src/agents/profiles/profile.ts';
import {builtIn, profiles} from '../src/agents/profiles/profiles.ts';
import {agentProfile} from '../src/rules/plan/fields.ts';
import {parsePlan} from '../src/rules/plan/parse.ts';
import {planFileSchema} from '../src/rules/plan/schema.ts';

const shownIn = 'docs/plan.md';
const agents = readFileSync('docs/agents.md', 'utf8');
const [, shown = ''] =
	/<!-- plan -->\s*```yaml\n([\s\S]*?)```\s*<!-- \/plan -->/.exec(readFileSync(shownIn, 'utf8')) ??
	[];

test('the plan that the documents show can be read without a complaint', () => {
	const {plan, problems} = parsePlan(shown, {file: shownIn, profiles: builtIn});
	expect(problems).toEqual([]);
	expect(plan?.agents.map(({id}) => id)).toEqual([
		'AGT-001',
		'AGT-002',
		'AGT-003',
		'AGT-004',
		'AGT-005',
		'AGT-006',
		'AGT-007',
	]);
});

test('the plan that the documents show has every key of a plan', () => {
	const plan = parse(shown);
	const agentKeys = plan.agents.flatMap((agent: object) => Object.keys(agent));
	const ownAgents = plan.agents.map(({agent}: {agent: unknown}) => agent);
	const profileKeys = new Set(
		ownAgents.flatMap((agent: unknown) =>
			typeof agent === 'object' && agent !== null ? Object.keys(agent) : [],
		),
	);
	const [spelledOut, extension] = agentProfile.options;
	const knownKeys = [...spelledOut.options, extension].flatMap(({shape}) => Object.keys(shape));
	expect(Object.keys(plan).sort()).toEqual(Object.keys(planFileSchema.shape).sort());
	expect([...new Set(agentKeys)].sort()).toEqual(
		Object.keys(planFileSchema.shape.agents.element.shape).sort(),
	);
	expect([...profileKeys].sort()).toEqual([...new Set(knownKeys)].sort());
});

test('the agents that the documents name are those that are built in', () => {
	for (const profile of Object.values(profiles)) {
		const {vendor, title, acp, login} = profile;
		expect(agents).toContain(
			`| \`${vendor}\` | ${title} | \`${installCommand(acp)}\` | ${login} |`,
		);
	}

	for (const name of Object.keys(builtIn)) {
		expect(agents).toContain(`\`${name}\``);
	}
});
