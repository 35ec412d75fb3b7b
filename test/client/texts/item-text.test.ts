import {expect, test} from 'vitest';
import {inbox} from '../../../src/rules/inbox.ts';
import {accepted, asking, checkpoint, planned, working} from '../../helpers/given.ts';
import {mergeBuilt} from '../../helpers/happened.ts';
import {build, refuse, verify} from '../../helpers/merging.ts';
import {planOf, subtask} from '../../helpers/plan.ts';
import {textOf} from './text-of.ts';

test('a merge that was refused is shown with the way out', () => {
	const session = accepted(['AGT-001']);
	build(session);
	verify(session, true);
	session.decide('a-1', 'approve');
	refuse(session, 'dirty-checkout');
	const {hint} = session.item('approval').refused ?? {hint: 'none'};
	expect(textOf(session)).toContain(`    Hint: ${hint}\n`);
});

test('a commit message keeps its lines, each marked as a quotation', () => {
	const session = accepted(['AGT-001']);
	const message = 'Limit requests\n\n- AGT-001: Tokens\n';
	session.tell(
		mergeBuilt({commit: 'result', tree: 'tree of result', agents: ['AGT-001'], message}),
	);
	verify(session, true);
	expect(textOf(session)).toContain(
		['    Its commit says:', '    │ Limit requests', '    │ ', '    │ - AGT-001: Tokens', ''].join(
			'\n',
		),
	);
});

test('the warnings of a plan are shown with it', () => {
	const session = planned(['AGT-001']);
	const plan = planOf([subtask('AGT-007')]);
	session.decide('p-1', 'edit', undefined, {plan, warnings: ['warning: its scope is everything']});
	expect(textOf(session)).toContain('    warning: its scope is everything\n');
});

test('a question is shown with when, why and where its agent asks it, and what it expects', () => {
	const session = working(['AGT-001']);
	session.says(
		'AGT-001',
		asking(`blocked_at: the login flow
questions: [{question: Which port?, type: number, context: 8080 is taken, urgent: true}]
current_state: Read 12 of 30 files`),
	);
	const {opened} = session.item('question');
	expect(textOf(session)).toContain(
		[
			'    Why: 8080 is taken',
			'    So far: Read 12 of 30 files',
			`    Asked: ${opened}`,
			'    Stopped at: the login flow',
			'    Expects: a number',
			'    Meanwhile: it is paused, and goes on with your answer, whenever you give it',
		].join('\n'),
	);
});

test('a blocker is shown with all that its agent said of it', () => {
	const session = working(['AGT-001']);
	session.says(
		'AGT-001',
		`[STOP_WORK]
blocker_type: external_dependency
details: node_modules is missing
blocked_work: Task D
resume_requirements: npm ci has run
state_snapshot: {completed: [A, B], next: Task D}
[/STOP_WORK]
`,
	);
	session.work();
	expect(inbox(session.state())[0]).toMatchObject({
		details: 'node_modules is missing',
		blocker_type: 'external_dependency',
		state_snapshot: {completed: ['A', 'B'], next: 'Task D'},
	});
	expect(textOf(session)).toContain(`
    To go on it needs: npm ci has run
    It seems to ask for: npm ci
    Kind: external_dependency
    Blocked work: Task D
    Where it stood: completed: A, B
    Where it stood: next: Task D
`);
});

test('a command that failed is shown with its blocker, and what it printed', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', '[STOP_WORK]\ndetails: run `npm ci`\n[/STOP_WORK]\n');
	session.work();
	session.decide('b-1', 'run', 'npm ci');
	const {command} = session.item('blocker');
	session.tell({
		...{kind: 'command.ended', agent: 'AGT-001', item: 'b-1', since: command?.since ?? 0},
		...{command: 'npm ci', code: 3, tail: ['no network', 'gave up'], log: 'commands/b-1.log'},
	});
	expect(textOf(session)).toContain(`
    \`npm ci\` failed with exit code 3
    It printed: no network
    It printed: gave up
    It seems to ask for: npm ci
`);
});

test('a limit is shown with what was used, and what its agent says of its work', () => {
	const session = working([
		subtask('AGT-001', {tokens: 1000, agent: {protocol: 'acp', command: ['agent']}}),
	]);
	session.tell({kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens: 1200});
	session.work();
	session.says(
		'AGT-001',
		checkpoint(`Status: IN_PROGRESS
Progress: 60%

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| src/a.ts | created | the bucket |`),
	);
	session.ends('AGT-001');
	session.work();
	expect(textOf(session)).toContain(`
    Tokens: 1.2k of 1.0k
    Progress, it says: 60 %
    Changed, it says: src/a.ts · created · the bucket
`);
});
