import {expect, test} from 'vitest';
import {beginJoining, joiningLast} from '../../../src/tui/composer/model/composition.ts';
import {handedOver, openComposer, opened} from './a-composer.ts';

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
	openComposer({
		known: {purpose: 'add'},
		composition: beginJoining(opened(session), {id, agent: 'claude', words}),
	});

test('one more agent is asked for its part, field by field, beside those of the session', () => {
	const composer = join();
	expect(composer.frame()).toContain('Add an agent');
	expect(composer.frame()).not.toContain('Rate-limit the public API');
	expect(composer.frame()).not.toContain('The limit itself');
	composer.type('Document the limits for customers');
	composer.press('enter', 'esc', 'ctrl+r');
	expect(composer.notice()).toContain('Nothing stands in "Goal"');
	composer.press('enter');
	composer.type('One page');
	composer.press('enter', 'esc', 'ctrl+r');
	expect(composer.notice()).toContain('Nothing stands in "May write"');
	composer.press('enter');
	composer.type('src/api/limit.ts');
	composer.press('enter', 'esc');
	expect(composer.frame()).toContain('AGT-002');
	expect(composer.frame()).toMatch(/conflict-prone/);
	expect(composer.frame()).not.toContain('gone.md');
	composer.press('ctrl+r');
	expect(composer.frame()).toContain('Let this agent join the session, with 1 warning?');
	composer.press('y');
	expect(handedOver(composer)).toHaveLength(2);
	expect(handedOver(composer)[1]).toMatchObject({
		subtask: 'Document the limits for customers',
		scope: {allowed: ['src/api/limit.ts']},
		agent: 'claude',
	});
});

test('what an agent recommended stands in the form already', () => {
	expect(join('Add a dashboard').frame()).toContain('Add a dashboard');
});

test('who joins has the id that is free in the session, and not that of an agent that was given up', () => {
	const composer = join('Document the limits', 'AGT-004');
	composer.press('esc');
	expect(composer.frame()).toContain('AGT-004');
	expect(composer.frame()).not.toContain('AGT-002');
	composer.press('ctrl+r', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedOver(composer)[1]).toMatchObject({id: 'AGT-004', subtask: 'Document the limits'});
});

test('one more subtask is given to several agents instead of one', () => {
	const composer = join('Document the limits');
	composer.press('esc', 'a');
	const before = composer.frame();
	expect(before).toContain('Agent');
	composer.press(...Array.from({length: 5}, () => 'down'), 'enter');
	composer.type('claude codex');
	composer.press('enter', 'esc');
	expect(composer.frame()).toMatch(/Best of\s+claude codex/);
	expect(composer.frame()).not.toMatch(/Agent\s+claude/);
	composer.press('ctrl+r', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedOver(composer)[1]).toMatchObject({best_of: ['claude', 'codex']});
	expect(handedOver(composer)[1]).not.toHaveProperty('agent');
});

test('whose place a new agent takes stands above it, and that one’s work is not dropped unasked', () => {
	const part = `  - id: AGT-002
    subtask: Document the limits
    goal: One page
    scope: {allowed: ["docs/**"]}
    agent: claude
`;
	const composer = openComposer({
		known: {purpose: 'add', instead: 'AGT-009'},
		composition: joiningLast(opened(session + part)),
	});
	expect(composer.frame()).toContain('In place of AGT-009');
	composer.press('esc', 'ctrl+r');
	expect(composer.frame()).toContain(
		'Drop the work of AGT-009, and let this agent take its place, with 1 warning?',
	);
	expect(composer.effects()).toEqual([]);
});

test('a part that is written already stands in its fields, and what is changed of it alone is handed in', () => {
	const part = `  - id: AGT-002
    subtask: Document the limits
    scope: {allowed: ["docs/**"]}
    agent: {protocol: text, command: [bash, agent.sh], env: {KEY: secret}}
    timeout: 10min
`;
	const composer = openComposer({
		known: {purpose: 'add'},
		composition: joiningLast(opened(session + part)),
	});
	expect(composer.frame()).toMatch(/Subtask\s+Document the limits/);
	expect(composer.frame()).toMatch(/Agent\s+bash agent.sh/);
	expect(composer.frame()).not.toContain('The limit itself');
	composer.press('esc', 'pageUp', 'enter');
	composer.type(' for customers');
	composer.press('esc', 'ctrl+r', 'ctrl+r', 'y');
	expect(handedOver(composer)[1]).toMatchObject({
		subtask: 'Document the limits for customers',
		scope: {allowed: ['docs/**']},
		agent: {env: {KEY: 'secret'}},
		timeout: '10min',
	});
});
