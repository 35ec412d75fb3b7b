import {expect, test} from 'vitest';
import type {Subtask} from '../../../src/events/plan.ts';
import {readRequest, requestSchema} from '../../../src/supervisor/requests/request.ts';
import {planOf, subtask} from '../../helpers/plan.ts';

const edit = {do: 'decide', item: 'p-1', choice: 'edit', by: 'user'} as const;

const whole: Required<Subtask> = {
	...subtask('AGT-001', {after: ['AGT-002']}),
	goal: 'a goal',
	agent: {protocol: 'acp', command: ['claude'], vendor: 'claude', model: 'small', trust: 'project'},
	profile: 'claude',
	origin: {by: 'your config', variables: ['KEY'], yours: ['KEY']},
	behavior: 'docs/how.md',
	bestOf: 'AGT-001',
	supervision: 'semi-autonomous',
	resume: 'completed',
	budget: '$5',
	tokens: 1000,
	limits: {memory: 2 ** 30, cpu: 60_000},
	output: 'out.md',
	mode: 'default',
	mcpServers: [{name: 'docs', command: ['docs-mcp'], env: ['DOCS_TOKEN']}],
	images: ['docs/a.png'],
	from: 's-0',
	uncommitted: true,
	checkout: ['docs'],
};

test('a plan comes through the socket as it was sent, with all that it may hold', () => {
	const plan = planOf([whole, subtask('AGT-002')], {context: 'a context', target: 'main'});
	expect(requestSchema.parse({...edit, plan, subtask: whole})).toEqual({
		...edit,
		plan,
		subtask: whole,
	});
});

test.each([
	['lacks its agents', {agents: undefined}],
	['has an agent that no program is named for', {agents: [{...whole, agent: {protocol: 'acp'}}]}],
	['has a field that no plan has', {tasks: []}],
])('a plan that %s is refused at the socket', (_, wrong) => {
	const plan = {...planOf([whole]), ...wrong};
	expect(requestSchema.safeParse({...edit, plan}).success).toBe(false);
});

test('what a person wrote comes from a file, never in a step of theirs', () => {
	const byHand = (pick: object) => ({
		do: 'by-hand',
		item: 'c-1',
		after: 0,
		steps: [{do: 'pick', hunk: 0, pick}, {do: 'undo'}],
	});
	expect(requestSchema.safeParse(byHand({take: 'left-right'})).success).toBe(true);
	expect(requestSchema.safeParse(byHand({take: 'edited', content: 'any blob'})).success).toBe(
		false,
	);
	const rewrite = {...byHand({}), steps: [{do: 'rewrite', content: null}]};
	expect(requestSchema.safeParse(rewrite).success).toBe(false);
});

test('a text that is too long is told as such, whoever says it, and any other request is not understood', () => {
	const text = 'x'.repeat(100_000);
	const decide = {do: 'decide', item: 'r-1', choice: 'feedback', by: 'user', note: text};
	const message = {do: 'steer', agent: 'AGT-001', order: {verb: 'message', text}};
	const answer = {do: 'answer', by: 'user', answers: [{item: 'q-1', choice: text}]};
	for (const request of [decide, message, answer]) {
		expect(() => readRequest(request)).toThrow(
			'That text is too long: 65536 characters are allowed.',
		);
	}

	expect(() => readRequest({...decide, note: 7})).toThrow('does not understand');
	expect(() => readRequest({do: 'fly'})).toThrow('does not understand');
});
