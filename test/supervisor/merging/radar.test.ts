import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {agentCollisions} from '../../../src/rules/collisions.ts';
import {answerRequest} from '../../../src/supervisor/requests/answer-request.ts';
import {planOf, subtask} from '../../helpers/plan.ts';
import {makeParts, runHere} from '../running.ts';

/** Writes a line, asks how to go on, and after that does something else. */
const agent = (id: string, line: string, afterwards: string) =>
	subtask(id, {
		scope: {allowed: ['src/**'], forbidden: []},
		agent: {
			protocol: 'text',
			command: [
				'/bin/sh',
				'-c',
				`if grep -q '^ANSWER'; then ${afterwards}; printf '[CLARIFICATION_NEEDED]\\nquestions:\\n  - {id: b, question: And now?}\\n[/CLARIFICATION_NEEDED]\\n'
else echo ${line} > src/shared.txt; printf '[CLARIFICATION_NEEDED]\\nquestions:\\n  - {id: a, question: How?}\\n[/CLARIFICATION_NEEDED]\\n'; fi`,
			],
		},
	});

test('agents whose work collides are seen while they work, told of it once, and seen no more when it is gone', async () => {
	const {parts} = await makeParts({'src/shared.txt': 'base\n'});
	const plan = planOf(
		[
			agent('AGT-001', 'left', 'echo base > src/shared.txt; echo new > src/left.txt'),
			agent('AGT-002', 'right', 'true'),
		],
		{verify: []},
	);
	const {event, state, item, running} = await runHere(parts, plan);
	const found = await event('work.compared');
	expect(found).toMatchObject({
		a: 'AGT-001',
		b: 'AGT-002',
		findings: [
			{
				type: 'FILE_CONFLICT',
				path: 'src/shared.txt',
				evidence: [
					{side: 'a', path: 'src/shared.txt', line: 1, text: 'left'},
					{side: 'b', path: 'src/shared.txt', line: 1, text: 'right'},
				],
			},
		],
	});
	expect(agentCollisions(state(), 'AGT-002').map(({other}) => other)).toEqual(['AGT-001']);

	const {id} = await item('question', 'AGT-001');
	await answerRequest(running, {do: 'decide', item: id, choice: 'so', by: 'user'});
	const turn = await event('turn.started', ({prompt}) => prompt === 'resume');
	expect(turn.collisions).toEqual(found.findings.map(({key}) => key));
	const {prompt} = running.world.folder.agent('AGT-001');
	expect(await readFile(prompt(turn.turn), 'utf8')).toContain(
		'You: src/shared.txt:1 left. AGT-002: src/shared.txt:1 right.',
	);
	await event('work.compared', ({findings}) => findings.length === 0);
	expect(agentCollisions(state(), 'AGT-002')).toEqual([]);
});
