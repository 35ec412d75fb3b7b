import {describe, expect, test} from 'vitest';
import {actionsHere} from '../../../src/tui/action.ts';
import {fieldsOf} from '../../../src/tui/plan/composition.ts';
import type {Desk} from '../../../src/tui/plan/desk.ts';
import {judgementOf} from '../../../src/tui/plan/judgement.ts';
import {keySign} from '../../../src/tui/terminal/key-name.ts';
import {composeTwo, desk, opened, openForm} from './a-form.ts';

describe('the form', () => {
	test('is written from its first field to its last without another key than Enter', () => {
		const form = openForm();
		for (const text of [
			'Task',
			'App',
			'Done',
			'make',
			'main',
			'One',
			'Goal',
			'x < 1',
			'a/**',
			'a/b',
			'x',
		]) {
			form.type(text);
			form.press('enter');
		}

		expect(form.composition()).toMatchObject({
			task: 'Task',
			context: 'App',
			success: 'Done',
			verify: 'make',
			target: 'main',
			subtasks: [
				{
					subtask: 'One',
					goal: 'Goal',
					metrics: 'x < 1',
					allowed: 'a/**',
					forbidden: 'a/b',
					agent: 'claudex',
				},
			],
		});
		expect(form.context().view.dialog.kind).toBe('none');
	});

	test('begins at the subtask when the task was said', () => {
		const form = openForm({task: 'Rate-limit the API'});
		form.type('Token bucket');
		expect(form.composition()).toMatchObject({
			task: 'Rate-limit the API',
			subtasks: [{subtask: 'Token bucket'}],
		});
	});

	test('takes what is pasted into the field at hand, with its lines, and none of it as a key', () => {
		const form = openForm();
		form.press('esc', 'down', 'down', 'down');
		form.take({kind: 'paste', text: 'q\r\nnpm \u001b[31mtest'});
		expect(form.composition().verify).toBe('q\nnpm [31mtest');
		expect(form.effects()).toEqual([]);
	});

	test('is left with up and down where a field has no line more', () => {
		const form = openForm();
		form.press('down');
		form.type('one');
		form.press('ctrl+j');
		form.type('two');
		form.press('up');
		form.type('!');
		form.press('home', 'up');
		form.type('Task');
		expect(form.composition()).toMatchObject({task: 'Task', context: 'one!\ntwo'});
	});

	test('offers nobody where no agent is installed and logged in, and says what helps', () => {
		const known = {ready: [], missingProgram: () => ({why: 'no claude-acp', hint: 'install it'})};
		const form = openForm({task: 'Rate-limit the API', known});
		form.press('esc');
		expect(form.frame()).toContain('No agent that asks before it acts is installed and logged in');
		expect(form.frame()).toContain('delegate-tui doctor');
		expect(form.frame()).not.toMatch(/does it all|read the repository and propose/);
		form.press('1', 'P');
		expect(form.context().view.dialog.kind).toBe('none');
		expect(form.effects()).toEqual([]);
	});

	test('shows counts and warnings while they are typed', () => {
		const form = openForm({task: 'Rate-limit the API'});
		form.press('enter', 'enter', 'enter');
		form.type('src/api/*');
		expect(form.frame()).toContain('2 files');
		form.press('backspace');
		expect(form.frame()).toContain('2 files');
		form.type('routes.ts');
		expect(form.frame()).toContain('1 file');
		form.type('x');
		expect(form.frame()).toContain('no file yet');
	});

	test('goes round the agents of the config', () => {
		const form = openForm({task: 'Try'});
		form.press('esc', 'down', 'down', 'down', 'down', 'down', 'p');
		expect(form.composition().subtasks[0]?.agent).toBe('codex');
		form.press('p');
		expect(form.composition().subtasks[0]?.agent).toBe('claude');
	});
});

describe('agents', () => {
	test('are up to three', () => {
		const form = openForm();
		form.press('esc', '+', 'esc', '+', 'esc', '+');
		expect(form.composition().subtasks.map(({id}) => id)).toEqual([
			'AGT-001',
			'AGT-002',
			'AGT-003',
		]);
		expect(form.notice()).toMatch(/^At most 3 agents/);
	});

	test('are taken out, once the person says so when something is written', () => {
		const form = composeTwo(openForm());
		form.press('-', 'n');
		expect(form.composition().subtasks).toHaveLength(2);
		form.press('-', 'y');
		expect(form.composition().subtasks.map(({subtask}) => subtask)).toEqual([
			'Token bucket middleware',
		]);
		form.press('down', 'down', 'down', 'down', 'down', '-');
		expect(form.notice()).toBe('A plan has at least one agent.');
	});

	test('are taken out at once when nothing is written', () => {
		const form = openForm();
		form.press('esc', '+', 'esc', '-');
		expect(form.composition().subtasks).toHaveLength(1);
	});
});

describe('saving', () => {
	test('asks for a path, and proposes the usual one', () => {
		const form = openForm({task: 'Try'});
		form.press('esc', 's', 'enter');
		expect(form.effects()).toEqual([
			{
				do: 'save-plan',
				path: 'plan.yaml',
				over: undefined,
				text: 'version: 1\ntask: Try\nagents:\n  - agent: claude\n',
			},
		]);
	});

	test('is to the same file the next time, and what was saved is not asked about', () => {
		const form = openForm({task: 'Try'});
		const file = {path: 'other.yaml', text: 'x'};
		form.type('One');
		form.press('esc', 's', 'ctrl+u');
		form.take({kind: 'paste', text: 'other.yaml\n'});
		form.press('enter');
		form.take({kind: 'saved', file});
		expect(form.frame()).toMatch(/other\.yaml saved/);
		form.press('s', 'enter');
		expect(form.effects().at(-1)).toMatchObject({do: 'save-plan', path: 'other.yaml', over: file});
		form.take({kind: 'saved', file});
		form.press('q');
		expect(form.effects().at(-1)).toEqual({do: 'leave'});
	});
});

describe('opening', () => {
	const text = 'version: 1\ntask: Other\nagents: [{subtask: One}]\n';

	test('asks first about what is saved nowhere', () => {
		const form = openForm();
		form.type('Mine');
		form.press('esc', 'o', 'enter');
		expect(form.frame()).toContain('Open plan.yaml anyway?');
		form.press('n');
		expect(form.effects()).toEqual([]);
		form.press('o', 'enter', 'y');
		expect(form.effects()).toEqual([{do: 'open-plan', path: 'plan.yaml'}]);
		form.take({kind: 'opened', file: {path: 'plan.yaml', text}});
		expect(form.composition()).toMatchObject({task: 'Other', subtasks: [{subtask: 'One'}]});
	});

	test('what is no plan says so, and changes nothing', () => {
		const form = openForm();
		form.type('Mine');
		form.press('esc');
		const before = form.composition();
		form.take({kind: 'opened', file: {path: 'x', text: 'task: y'}});
		expect(form.notice()).toBe(
			'x can’t be opened: 1:1: `version` is missing. And 1 more. Nothing here has changed.',
		);
		expect(form.composition()).toBe(before);
	});
});

describe('running', () => {
	test('asks for what is missing first, each with the reason, and once', () => {
		const form = openForm({task: 'Rate-limit the API'});
		form.type('Token bucket middleware');
		form.press('esc');
		const asked = ['Context', 'Check', 'Goal', 'Measured by', 'May write'].map(label => {
			form.press('ctrl+r');
			expect(form.notice()).toContain(`"${label}" is empty, so `);
			return form.notice();
		});
		expect(asked[4]).toBe(
			'"May write" is empty, so it can only read. Enter writes it; ^r goes on without.',
		);
		form.press('ctrl+r');
		expect(form.frame()).toContain('Start 1 agent on this plan');
	});

	test('asks once for what several agents lack', () => {
		const form = openForm({
			composition: opened(
				'{version: 1, task: T, context: C, verify: [x], agents: [' +
					['a', 'b', 'c'].map(name => `{subtask: ${name}, goal: g, scope: {allowed: [${name}]}}`) +
					']}',
			),
		});
		form.press('esc', 'ctrl+r');
		expect(form.notice()).toBe(
			'"Measured by" is empty, so nothing says how its result is judged. It is the same with AGT-002 and AGT-003. Enter writes it; ^r goes on without.',
		);
		form.press('ctrl+r');
		expect(form.frame()).toContain('Start 3 agents on this plan');
	});

	test('goes to what is missing, so that it can be written at once', () => {
		const form = openForm({task: 'Rate-limit the API'});
		form.type('Token bucket middleware');
		form.press('esc', 'ctrl+r', 'enter');
		form.type('Express app');
		expect(form.composition().context).toBe('Express app');
	});

	test('says why not while there are errors', () => {
		const form = openForm();
		form.press('esc', 'ctrl+r');
		expect(form.notice()).toBe('It can’t be run yet: "Task" is still to be written. (and 1 more)');
		expect(form.effects()).toEqual([]);
	});

	test('asks once, with the warnings counted, and starts the plan as it stands', () => {
		const form = composeTwo(openForm());
		form.press('ctrl+r');
		expect(form.frame()).toContain('Start 2 agents on this plan, with 1 warning?');
		form.press('y');
		expect(form.effects()).toEqual([
			{do: 'hand-in', file: 'plan.yaml', text: judgementOf(form.composition(), desk).text},
		]);
	});

	test('is not begun by a yes that comes after any other key', () => {
		const form = composeTwo(openForm());
		form.press('ctrl+r', 'x', 'y');
		expect(form.effects()).toEqual([]);
	});

	test('is not begun by who writes on in the belief that they write', () => {
		const form = composeTwo(openForm());
		form.type('retry every request, only retry');
		form.press('enter');
		expect(form.effects().filter(effect => effect.do === 'hand-in')).toEqual([]);
	});

	test('takes no other key meanwhile but the one to leave', () => {
		const form = composeTwo(openForm());
		form.press('ctrl+r', 'y', 'ctrl+r', 'y', 's', 'q', '-');
		expect(form.effects()).toHaveLength(1);
		form.press('ctrl+c');
		expect(form.effects().at(-1)).toEqual({do: 'leave'});
	});

	test('that opened over another place leads back there, and then nobody says that nothing came of it', () => {
		const form = openForm({known: {leftAs: 'Nothing was started.'}});
		composeTwo(form).press('ctrl+r', 'y', 'ctrl+c');
		expect(form.notice()).toBe(
			'You left while the plan was being handed over; it may take effect all the same.',
		);
	});

	test('that is refused says why, and loses nothing', () => {
		const form = composeTwo(openForm());
		const before = form.composition();
		form.press('ctrl+r', 'y');
		form.take({kind: 'failed', text: 'Another session is active.'});
		expect(form.notice()).toBe('Another session is active.');
		expect(form.composition()).toBe(before);
		form.press('ctrl+r');
		expect(form.frame()).toContain('Start 2 agents');
	});
});

describe('a planner', () => {
	const proposal =
		'version: 1\ntask: Try\nagents: [{subtask: One, agent: claude, inputs: [a.md]}]\n';

	test('is asked for a plan of the task, and what it proposes can be changed and is not saved', () => {
		const form = openForm({task: 'Try'});
		expect(form.frame()).toContain(
			'Esc, then P has claude read the repository and propose all of this',
		);
		form.press('esc');
		expect(form.frame()).toContain('  P has claude read the repository');
		form.press('P');
		expect(form.effects()).toEqual([{do: 'propose', task: 'Try'}]);
		form.take({kind: 'planning', progress: {elapsedMs: 61_000, lines: ['Read src/a.ts']}});
		expect(form.frame()).toContain('claude looks at the repository and plans, for 1m1s so far');
		expect(form.frame()).toContain('Read src/a.ts');
		form.take({kind: 'proposed', text: proposal});
		expect(form.composition()).toMatchObject({subtasks: [{subtask: 'One', inputs: 'a.md'}]});
		expect(form.frame()).toContain('not saved');
		expect(form.frame()).toContain('Reads');
	});

	test('is not asked before there is a task, and asked about where something is written', () => {
		const form = openForm();
		form.press('esc', 'P');
		expect(form.notice()).toBe('Write the task first: the planner needs it.');
		composeTwo(form);
		form.press('pageUp', 'pageUp', 'pageUp', 'enter');
		form.type('Try');
		form.press('esc', 'P');
		expect(form.frame()).toContain('Let claude propose a plan that replaces this one?');
		expect(form.frame()).not.toContain('read the repository');
		form.press('n');
		expect(form.effects()).toEqual([]);
	});

	test('is stopped by Esc, and nothing that was written is lost', () => {
		const form = openForm({task: 'Try'});
		form.press('esc', 'P', 'q', 'esc');
		expect(form.effects().at(-1)).toEqual({do: 'stop-proposing'});
		form.take({kind: 'failed', text: 'The planner was stopped; nothing was written.'});
		expect(form.composition().task).toBe('Try');
		expect(form.context().view.dialog.kind).toBe('none');
	});
});

describe('fields that few plans need', () => {
	test('are named at the end of the form, and shown and hidden by a key', () => {
		const form = openForm({task: 'Try', size: {columns: 120, rows: 46}});
		form.press('esc');
		expect(form.frame()).toContain(
			'a shows more: Commits, Type check, Before, Copies, Supervision, Resumes, Budget, Overlaps, Best of, Reads',
		);
		form.press('a');
		expect(form.frame()).toMatch(/Expects/);
		form.press('a');
		expect(form.frame()).not.toContain('Expects ');
		expect(form.place().cursor).toBe(5);
	});
});

describe('leaving', () => {
	test('asks about what is saved nowhere; a second Ctrl-C is an answer', () => {
		const form = openForm();
		form.type('Mine');
		form.press('ctrl+c', 'ctrl+c');
		expect(form.frame()).toContain('Leave anyway?');
		expect(form.effects()).toEqual([]);
		form.press('ctrl+c');
		expect(form.effects()).toEqual([{do: 'leave'}]);
	});

	test('asks nothing when nothing was written', () => {
		const form = openForm({task: 'Said on the command line'});
		form.press('esc', 'q');
		expect(form.effects()).toEqual([{do: 'leave'}]);
	});
});

describe('PgUp', () => {
	test('goes to the agent before from wherever in an agent, and to the task from the first', () => {
		const form = composeTwo(openForm());
		const part = () => {
			const {composition, cursor} = form.place();
			return fieldsOf(composition)[cursor];
		};

		form.press('pageUp');
		expect(part()).toEqual({part: 'subtask', agent: 0});
		form.press('down', 'pageUp');
		expect(part()).toEqual({part: 'task'});
		form.press('pageDown', 'down', 'pageDown');
		expect(part()).toEqual({part: 'subtask', agent: 1});
	});
});

describe('the table of keys', () => {
	test.each([
		['in the form', []],
		['at an agent', ['pageDown', 'pageDown', 'down', 'down', 'down', 'down', 'down']],
		['in the help', ['?']],
		['while a path is written', ['s']],
		['while something is asked', ['ctrl+r']],
	] as const)('%s the first keys that have a label are in the footer, eight at most', (_, keys) => {
		const form = composeTwo(openForm({size: {columns: 100, rows: 24}}));
		form.press('pageUp', 'pageUp', ...keys);
		const footer = form.frame().split('\n').at(-1) ?? '';
		const labelled = actionsHere(form.context()).flatMap(({keys: [key = ''], label}) =>
			label === undefined ? [] : [`${keySign(key)} ${label}`],
		);
		expect(labelled.length).toBeGreaterThan(0);
		const first = labelled.filter(shown => !/^[?q] /.test(shown)).slice(0, 6);
		expect(first.filter(shown => !footer.includes(shown))).toEqual([]);
		expect(labelled.filter(shown => footer.includes(` ${shown} `)).length).toBeLessThanOrEqual(8);
	});
});

describe('a scope', () => {
	const picking = (...keys: readonly string[]) => {
		const form = openForm();
		form.press('esc', '}', 'down', 'down', 'down', 'enter', ...keys);
		return form;
	};

	test('is picked from the tree, by words of a folder, and stands in the field like one that was typed', () => {
		const form = picking('ctrl+t');
		form.type('api');
		form.press('enter');
		expect(form.composition().subtasks[0]?.allowed).toBe('src/api/**');
		form.type(' docs/**');
		expect(form.composition().subtasks[0]?.allowed).toBe('src/api/** docs/**');
	});

	test('has folders with their files counted, and files once words are written', () => {
		const form = picking('ctrl+t');
		expect(form.frame()).toMatch(/folder +\.\/ {2}5 files\n.*folder +src\/ {2}4 files\n/);
		expect(form.frame()).toMatch(/folder +src\/api\/ {2}2 files\n/);
		expect(form.frame()).not.toContain('login.ts');
		form.type('uilog');
		expect(form.frame()).toMatch(/▸ file +src\/ui\/login\.ts/);
	});

	test('lets go again of what is picked once more, which has a mark', () => {
		const form = picking('ctrl+t', 'enter', 'ctrl+t');
		expect(form.composition().subtasks[0]?.allowed).toBe('**');
		expect(form.frame()).toMatch(/▸ folder +✓ +\.\//);
		form.press('down', 'enter', 'ctrl+t', 'enter');
		expect(form.composition().subtasks[0]?.allowed).toBe('src/**');
	});

	test('is as it was for who picks nothing, and goes on writing', () => {
		const form = picking();
		form.type('src/ui/**');
		form.press('ctrl+t', 'esc');
		form.type(' x');
		expect(form.composition().subtasks[0]?.allowed).toBe('src/ui/** x');
	});

	test('names a package of a workspace, whose folder is the scope', () => {
		const packages: Desk['packages'] = [
			{of: 'npm', name: '@shop/api', folder: 'src/api', entries: []},
		];
		const form = openForm({known: {packages}});
		form.press('esc', '}', 'down', 'down', 'down', 'ctrl+t');
		expect(form.frame()).toMatch(/package +package:@shop\/api {2}2 files\n/);
		form.type('@shop');
		form.press('enter');
		expect(form.composition().subtasks[0]?.allowed).toBe('package:@shop/api');
		form.press('esc');
		expect(form.frame()).toContain('2 files');
		expect(form.frame()).not.toContain('No workspace');
	});

	test('names a file whatever its name holds', () => {
		const form = openForm({known: {files: ['a b/[id]/what?.ts']}});
		form.press('esc', '}', 'down', 'down', 'down', 'ctrl+t');
		form.type('what');
		form.press('enter');
		expect(form.frame()).toContain("'a b/[id]/what?.ts'");
		expect(form.frame()).toContain('1 file');
	});

	test('is picked for a scope alone', () => {
		const form = openForm();
		form.press('ctrl+t');
		expect(form.context().view.dialog.kind).toBe('field');
	});
});

describe('the conversation that an agent goes on from', () => {
	const atFrom = (known?: Partial<Desk>) => {
		const form = openForm(known === undefined ? {} : {known});
		form.press('esc', 'a');
		const {composition} = form.place();
		const cursor = fieldsOf(composition).findIndex(({part}) => part === 'from');
		form.press(...Array(cursor).fill('down'), 'ctrl+t');
		return form;
	};

	test('is picked from those that the agent lists, by words of their titles', () => {
		const form = atFrom();
		expect(form.effects()).toEqual([{do: 'list-conversations', profile: 'claude'}]);
		expect(form.notice()).toBe('Asking the agent for its conversations …');
		const conversations = [
			{id: 's-2', title: 'About the clock', updatedAt: '2026-11-29T10:20:30Z'},
			{id: 's-1', title: 'About ports'},
		];
		form.take({kind: 'listed', conversations});
		expect(form.frame()).toMatch(
			/AGT-001: Goes on from {2}2 ─+\n▸ talk +2026-11-29 10:20 +About the clock/,
		);
		form.type('ports');
		form.press('enter');
		expect(form.composition().subtasks[0]?.from).toBe('s-1');
		form.press('ctrl+t');
		form.take({kind: 'listed', conversations});
		form.press('esc');
		expect(form.composition().subtasks[0]?.from).toBe('s-1');
	});

	test('is written by hand where none is listed, or nobody can be asked', () => {
		const form = atFrom();
		form.take({kind: 'listed', conversations: []});
		expect(form.notice()).toBe('It lists no conversation that began in this checkout.');
		form.press('ctrl+t');
		form.take({kind: 'failed', text: 'This agent lists no conversations over the protocol.'});
		expect(form.notice()).toBe('This agent lists no conversations over the protocol.');
		expect(atFrom({profiles: {}}).notice()).toBe(
			'Only an agent that the config names can list them.',
		);
	});
});
