import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {z} from 'zod';
import {schemas, schemaText} from '../scripts/schemas.ts';
import {starterPlan} from '../src/cli/plan/new-plan-file.ts';
import {configExample} from '../src/cli/topics/config.ts';
import {planText} from '../src/cli/topics/plan.ts';

/** What an editor would make of a file by a published schema. */
const accepts = (file: string, value: unknown): boolean =>
	z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8'))).safeParse(value).success;

const [plan, config] = ['schemas/plan.schema.json', 'schemas/config.schema.json'];

test.each(schemas)('$file is that of today; npm run docs writes it', schema => {
	expect(readFileSync(schema.file, 'utf8')).toBe(schemaText(schema));
	const {files}: {files: readonly string[]} = JSON.parse(readFileSync('package.json', 'utf8'));
	expect(files).toContain('schemas');
	expect(existsSync(schema.file)).toBe(true);
});

test('the schemas accept all that the documents show and that init writes', () => {
	expect(accepts(plan, parse(planText))).toBe(true);
	expect(accepts(plan, parse(starterPlan('npm test')))).toBe(true);
	expect(accepts(config, parse(configExample))).toBe(true);
	expect(accepts(config, {})).toBe(true);
});

test('the schemas refuse unknown keys, at the top and further in', () => {
	const whole = parse(planText);
	expect(accepts(plan, {...whole, verfy: []})).toBe(false);
	const [first] = whole.agents;
	expect(accepts(plan, {...whole, agents: [{...first, gaol: 'x'}]})).toBe(false);
	expect(accepts(plan, {...whole, agents: [{...first, scope: {allow: []}}]})).toBe(false);
	expect(accepts(config, {limits: {files: 20, filez: 1}})).toBe(false);
	expect(accepts(config, {agents: {mine: {protocol: 'acp', command: ['x'], modle: 'y'}}})).toBe(
		false,
	);
});

test('the schemas refuse what has the wrong kind, and a plan that lacks something', () => {
	expect(accepts(plan, {...parse(planText), success: 'npm test passes'})).toBe(false);
	expect(accepts(plan, {version: 1, task: 'x'})).toBe(false);
	expect(accepts(config, {docs: 'yes'})).toBe(false);
});
