import {expect, test} from 'vitest';
import {beginJoining, joiningLast} from '../../../src/tui/plan/composition.ts';
import {handedIn, opened, openForm} from './a-form.ts';

const session = `version: 1
task: Rate-limit the public API
context: Express
verify: [npm test]
success: [it is fast]
agents:
  - id: AGT-001
    subtask: The limit itself
    goal: It holds
    scope: {allowed: ["src/api/**"]}
    agent: codex
    behavior: gone.md
`;

const join = (words = '', id = 'AGT-002') =>
	openForm({
		known: {purpose: 'add'},
		composition: beginJoining(opened(session), {id, agent: 'claude', words}),
	});

test('one more agent is asked for its part, field by field, beside those of the session', () => {
	const form = join();
	expect(form.frame()).toContain('Add an agent');
	expect(form.frame()).not.toContain('Rate-limit the public API');
	expect(form.frame()).not.toContain('The limit itself');
	form.type('Document the limits for customers');
	form.press('enter', 'esc', 'ctrl+r');
	expect(form.notice()).toContain('"Goal" is empty');
	form.press('enter');
	form.type('One page');
	form.press('enter', 'esc', 'ctrl+r');
	expect(form.notice()).toContain('"May write" is empty');
	form.press('enter');
	form.type('src/api/limit.ts');
	form.press('enter', 'esc');
	expect(form.frame()).toContain('AGT-002');
	expect(form.frame()).toMatch(/conflict-prone/);
	expect(form.frame()).not.toContain('gone.md');
	form.press('ctrl+r');
	expect(form.frame()).toContain('Let this agent join the session, with 1 warning?');
	form.press('y');
	expect(handedIn(form)).toHaveLength(2);
	expect(handedIn(form)[1]).toMatchObject({
		subtask: 'Document the limits for customers',
		scope: {allowed: ['src/api/limit.ts']},
		agent: 'claude',
	});
});

test('what an agent recommended stands in the form already', () => {
	expect(join('Add a dashboard').frame()).toContain('Add a dashboard');
});

test('who joins has the id that is free in the session, and not that of an agent that was given up', () => {
	const form = join('Document the limits', 'AGT-004');
	form.press('esc');
	expect(form.frame()).toContain('AGT-004');
	expect(form.frame()).not.toContain('AGT-002');
	form.press('ctrl+r', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedIn(form)[1]).toMatchObject({id: 'AGT-004', subtask: 'Document the limits'});
});

test('one more subtask is given to several agents instead of one', () => {
	const form = join('Document the limits');
	form.press('esc', 'a');
	const before = form.frame();
	expect(before).toContain('Agent');
	form.press(...Array.from({length: 5}, () => 'down'), 'enter');
	form.type('claude codex');
	form.press('enter', 'esc');
	expect(form.frame()).toMatch(/Best of\s+claude codex/);
	expect(form.frame()).not.toMatch(/Agent\s+claude/);
	form.press('ctrl+r', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedIn(form)[1]).toMatchObject({best_of: ['claude', 'codex']});
	expect(handedIn(form)[1]).not.toHaveProperty('agent');
});

test('whose place a new agent takes stands above it, and that one’s work is not dropped unasked', () => {
	const part = `  - id: AGT-002
    subtask: Document limits
    goal: One page
    scope: {allowed: ["docs/**"]}
    agent: claude
`;
	const form = openForm({
		known: {purpose: 'add', instead: 'AGT-009'},
		composition: joiningLast(opened(session + part)),
	});
	expect(form.frame()).toContain('In place of AGT-009');
	form.press('esc', 'ctrl+r');
	expect(form.frame()).toContain('Drop the work of AGT-009, and let this agent take its place?');
	expect(form.effects()).toEqual([]);
});

test('a part that is written already stands in its fields, and what is changed of it alone is handed in', () => {
	const part = `  - id: AGT-002
    subtask: Document the limits
    scope: {allowed: ["docs/**"]}
    agent: {protocol: text, command: [bash, agent.sh], env: {KEY: secret}}
    timeout: 10min
`;
	const form = openForm({
		known: {purpose: 'add'},
		composition: joiningLast(opened(session + part)),
	});
	expect(form.frame()).toMatch(/Subtask\s+Document the limits/);
	expect(form.frame()).toMatch(/Agent\s+bash agent.sh/);
	expect(form.frame()).not.toContain('The limit itself');
	form.press('esc', 'pageUp', 'enter');
	form.type(' for customers');
	form.press('esc', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedIn(form)[1]).toMatchObject({
		subtask: 'Document the limits for customers',
		scope: {allowed: ['docs/**']},
		agent: {env: {KEY: 'secret'}},
		timeout: '10min',
	});
});

test('what fails after its form was left closes no field in which the person writes by then', () => {
	const form = openForm({
		known: {purpose: 'add', leftAs: 'Nothing is added.'},
		composition: beginJoining(opened(session), {
			id: 'AGT-002',
			agent: 'claude',
			words: 'Document it',
		}),
	});
	form.press('esc', 'ctrl+r', 'ctrl+r', 'ctrl+r', 'y', 'ctrl+c', 'l', '/');
	form.type('half');
	form.take({kind: 'failed', text: 'The session has ended.'});
	expect(form.notice()).toBe('The session has ended.');
	expect(form.context().view.dialog).toMatchObject({kind: 'search', draft: {text: 'half'}});
});
