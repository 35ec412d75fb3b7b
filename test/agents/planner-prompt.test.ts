import {join} from 'node:path';
import {expect, test} from 'vitest';
import {correctionPrompt, plannerPrompt} from '../../src/agents/planner-prompt.ts';
import {planFormat} from '../../src/rules/plan/proposal.ts';

test('a planner is told what a plan is, and nothing of signals', async () => {
	const prompt = plannerPrompt({
		task: 'Rate-limit the public API\n',
		directory: '/state/planners/1/tree',
		format: planFormat(),
		profiles: ['claude', 'codex'],
		check: 'npm test',
		guide: 'CLAUDE.md or AGENTS.md',
	});
	await expect(`${prompt}\n`).toMatchFileSnapshot(join('golden', 'planner.txt'));
});

test('a planner is told where its plan is wrong, with the plan if it has forgotten it', async () => {
	const prompt = correctionPrompt('version: 1\n', ['1:1: `task` is missing.']);
	await expect(`${prompt}\n`).toMatchFileSnapshot(join('golden', 'planner-correction.txt'));
	expect(correctionPrompt(undefined, ['no plan'])).not.toContain('YOUR PLAN');
});
