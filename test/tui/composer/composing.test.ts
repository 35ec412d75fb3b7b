import {describe, expect, test} from 'vitest';
import {actionsHere} from '../../../src/tui/composer/actions-here.ts';
import {fieldsOf} from '../../../src/tui/composer/model/composition.ts';
import {keySign} from '../../../src/tui/terminal/key-name.ts';
import {composeTwo, openComposer} from './a-composer.ts';

describe('the form', () => {
	test('is written from its first field to its last without another key than Enter', () => {
		const composer = openComposer();
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
			composer.type(text);
			composer.press('enter');
		}

		expect(composer.composition()).toMatchObject({
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
		expect(composer.context().view.dialog.kind).toBe('none');
	});

	test('begins at the subtask when the task was said', () => {
		const composer = openComposer({task: 'Rate-limit the API'});
		composer.type('Token bucket');
		expect(composer.composition()).toMatchObject({
			task: 'Rate-limit the API',
			subtasks: [{subtask: 'Token bucket'}],
		});
	});

	test('takes what is pasted into the field at hand, with its lines, and none of it as a key', () => {
		const composer = openComposer();
		composer.press('esc', 'down', 'down', 'down');
		composer.take({kind: 'paste', text: 'q\r\nnpm \u001b[31mtest'});
		expect(composer.composition().verify).toBe('q\nnpm [31mtest');
		expect(composer.effects()).toEqual([]);
	});

	test('is left with up and down where a field has no line more', () => {
		const composer = openComposer();
		composer.press('down');
		composer.type('one');
		composer.press('ctrl+j');
		composer.type('two');
		composer.press('up');
		composer.type('!');
		composer.press('home', 'up');
		composer.type('Task');
		expect(composer.composition()).toMatchObject({task: 'Task', context: 'one!\ntwo'});
	});

	test('shows counts and warnings while they are typed', () => {
		const composer = openComposer({task: 'Rate-limit the API'});
		composer.press('enter', 'enter', 'enter');
		composer.type('src/api/*');
		expect(composer.frame()).toContain('2 files');
		composer.press('backspace');
		expect(composer.frame()).toContain('2 files');
		composer.type('routes.ts');
		expect(composer.frame()).toContain('1 file');
		composer.type('x');
		expect(composer.frame()).toContain('no file yet');
	});

	test('goes round the agents of the config', () => {
		const composer = openComposer({task: 'Try'});
		composer.press('esc', 'down', 'down', 'down', 'down', 'down', 'p');
		expect(composer.composition().subtasks[0]?.agent).toBe('codex');
		composer.press('p');
		expect(composer.composition().subtasks[0]?.agent).toBe('claude');
	});
});

describe('agents', () => {
	test('are up to three', () => {
		const composer = openComposer();
		composer.press('esc', '+', 'esc', '+', 'esc', '+');
		expect(composer.composition().subtasks.map(({id}) => id)).toEqual([
			'AGT-001',
			'AGT-002',
			'AGT-003',
		]);
		expect(composer.notice()).toMatch(/^At most 3 agents/);
	});

	test('are taken out, once the person says so when something is written', () => {
		const composer = composeTwo(openComposer());
		composer.press('-', 'n');
		expect(composer.composition().subtasks).toHaveLength(2);
		composer.press('-', 'y');
		expect(composer.composition().subtasks.map(({subtask}) => subtask)).toEqual([
			'Token bucket middleware',
		]);
		composer.press('down', 'down', 'down', 'down', 'down', '-');
		expect(composer.notice()).toBe('A plan has at least one agent.');
	});

	test('are taken out at once when nothing is written', () => {
		const composer = openComposer();
		composer.press('esc', '+', 'esc', '-');
		expect(composer.composition().subtasks).toHaveLength(1);
	});
});

describe('saving', () => {
	test('asks for a path, and proposes the usual one', () => {
		const composer = openComposer({task: 'Try'});
		composer.press('esc', 's', 'enter');
		expect(composer.effects()).toEqual([
			{
				do: 'save',
				path: 'plan.yaml',
				over: undefined,
				text: 'version: 1\ntask: Try\nagents:\n  - agent: claude\n',
			},
		]);
	});

	test('is to the same file the next time, and what was saved is not asked about', () => {
		const composer = openComposer({task: 'Try'});
		const file = {path: 'other.yaml', text: 'x'};
		composer.type('One');
		composer.press('esc', 's', 'ctrl+u');
		composer.take({kind: 'paste', text: 'other.yaml\n'});
		composer.press('enter');
		composer.take({kind: 'saved', file});
		expect(composer.frame()).toMatch(/other\.yaml saved/);
		composer.press('s', 'enter');
		expect(composer.effects().at(-1)).toMatchObject({do: 'save', path: 'other.yaml', over: file});
		composer.take({kind: 'saved', file});
		composer.press('q');
		expect(composer.effects().at(-1)).toEqual({do: 'leave'});
	});
});

describe('opening', () => {
	const text = 'version: 1\ntask: Other\nagents: [{subtask: One}]\n';

	test('asks first about what is saved nowhere', () => {
		const composer = openComposer();
		composer.type('Mine');
		composer.press('esc', 'o', 'enter');
		expect(composer.frame()).toContain('Open plan.yaml in its place?');
		composer.press('n');
		expect(composer.effects()).toEqual([]);
		composer.press('o', 'enter', 'y');
		expect(composer.effects()).toEqual([{do: 'open', path: 'plan.yaml'}]);
		composer.take({kind: 'opened', file: {path: 'plan.yaml', text}});
		expect(composer.composition()).toMatchObject({task: 'Other', subtasks: [{subtask: 'One'}]});
	});

	test('what is no plan says so, and changes nothing', () => {
		const composer = openComposer();
		composer.type('Mine');
		composer.press('esc');
		const before = composer.composition();
		composer.take({kind: 'opened', file: {path: 'x', text: 'a: [}'}});
		expect(composer.notice()).toMatch(/^x can’t be opened: 1:\d+: .* Nothing here has changed\.$/);
		expect(composer.composition()).toBe(before);
	});
});

describe('running', () => {
	test('asks for what is missing first, each with the reason, and once', () => {
		const composer = openComposer({task: 'Rate-limit the API'});
		composer.type('Token bucket middleware');
		composer.press('esc');
		const asked = ['Context', 'Check', 'Goal', 'Measured by', 'May write'].map(label => {
			composer.press('ctrl+r');
			expect(composer.notice()).toContain(`Nothing stands in "${label}", so `);
			return composer.notice();
		});
		expect(asked[4]).toBe(
			'Nothing stands in "May write", so it can only read. Enter writes it; ^r goes on without.',
		);
		composer.press('ctrl+r');
		expect(composer.frame()).toContain('Start 1 agent on this plan');
	});

	test('goes to what is missing, so that it can be written at once', () => {
		const composer = openComposer({task: 'Rate-limit the API'});
		composer.type('Token bucket middleware');
		composer.press('esc', 'ctrl+r', 'enter');
		composer.type('Express app');
		expect(composer.composition().context).toBe('Express app');
	});

	test('says why not while there are errors', () => {
		const composer = openComposer();
		composer.press('esc', 'ctrl+r');
		expect(composer.notice()).toBe('It can’t be run yet: `task` is missing. (and 1 more)');
		expect(composer.effects()).toEqual([]);
	});

	test('asks once, with the warnings counted, and starts the plan as it stands', () => {
		const composer = composeTwo(openComposer());
		composer.press('ctrl+r');
		expect(composer.frame()).toContain('Start 2 agents on this plan, with 1 warning?');
		composer.press('y');
		expect(composer.effects()).toEqual([
			{do: 'run', file: 'plan.yaml', text: composer.context().judgement.text},
		]);
	});

	test('is not begun by a yes that comes after any other key', () => {
		const composer = composeTwo(openComposer());
		composer.press('ctrl+r', 'x', 'y');
		expect(composer.effects()).toEqual([]);
	});

	test('is not begun by who writes on in the belief that they write', () => {
		const composer = composeTwo(openComposer());
		composer.type('retry every request, only retry');
		composer.press('enter');
		expect(composer.effects().filter(effect => effect.do === 'run')).toEqual([]);
	});

	test('takes no other key meanwhile but the one to leave', () => {
		const composer = composeTwo(openComposer());
		composer.press('ctrl+r', 'y', 'ctrl+r', 'y', 's', 'q', '-');
		expect(composer.effects()).toHaveLength(1);
		composer.press('ctrl+c');
		expect(composer.effects().at(-1)).toEqual({do: 'leave'});
	});

	test('that is refused says why, and loses nothing', () => {
		const composer = composeTwo(openComposer());
		const before = composer.composition();
		composer.press('ctrl+r', 'y');
		composer.take({kind: 'failed', text: 'Another session is active.'});
		expect(composer.notice()).toBe('Another session is active.');
		expect(composer.composition()).toBe(before);
		composer.press('ctrl+r');
		expect(composer.frame()).toContain('Start 2 agents');
	});
});

describe('a planner', () => {
	const proposal =
		'version: 1\ntask: Try\nagents: [{subtask: One, agent: claude, inputs: [a.md]}]\n';

	test('is asked for a plan of the task, and what it proposes can be changed and is not saved', () => {
		const composer = openComposer({task: 'Try'});
		expect(composer.frame()).toContain(
			'Esc, then P has claude look around and propose all of this',
		);
		composer.press('esc');
		expect(composer.frame()).toContain('  P has claude look around');
		composer.press('P');
		expect(composer.effects()).toEqual([{do: 'propose', task: 'Try'}]);
		composer.take({kind: 'planning', progress: {elapsedMs: 61_000, lines: ['Read src/a.ts']}});
		expect(composer.frame()).toContain('claude looks at the repository and plans, for 1m1s so far');
		expect(composer.frame()).toContain('Read src/a.ts');
		composer.take({kind: 'proposed', text: proposal});
		expect(composer.composition()).toMatchObject({subtasks: [{subtask: 'One', inputs: 'a.md'}]});
		expect(composer.frame()).toContain('not saved');
		expect(composer.frame()).toContain('Reads');
	});

	test('is not asked before there is a task, and asked about where something is written', () => {
		const composer = openComposer();
		composer.press('esc', 'P');
		expect(composer.notice()).toBe('Write the task first; it is what is planned.');
		composeTwo(composer);
		composer.press('pageUp', 'pageUp', 'pageUp', 'enter');
		composer.type('Try');
		composer.press('esc', 'P');
		expect(composer.frame()).toContain('Let claude propose a plan in place of what stands here?');
		expect(composer.frame()).not.toContain('look around');
		composer.press('n');
		expect(composer.effects()).toEqual([]);
	});

	test('is stopped by Esc, and nothing that was written is lost', () => {
		const composer = openComposer({task: 'Try'});
		composer.press('esc', 'P', 'q', 'esc');
		expect(composer.effects().at(-1)).toEqual({do: 'stop-proposing'});
		composer.take({kind: 'failed', text: 'The planner was stopped; nothing was written.'});
		expect(composer.composition().task).toBe('Try');
		expect(composer.context().view.dialog.kind).toBe('none');
	});
});

describe('fields that few plans need', () => {
	test('are named at the end of the form, and shown and hidden by a key', () => {
		const composer = openComposer({task: 'Try', size: {columns: 120, rows: 40}});
		composer.press('esc');
		expect(composer.frame()).toContain(
			'a shows more: Type check, Before, Copies, Supervision, Resumes, Best of, Reads',
		);
		composer.press('a');
		expect(composer.frame()).toMatch(/Expects/);
		composer.press('a');
		expect(composer.frame()).not.toContain('Expects ');
		expect(composer.context().view.cursor).toBe(5);
	});
});

describe('leaving', () => {
	test('asks about what is saved nowhere; a second Ctrl-C is an answer', () => {
		const composer = openComposer();
		composer.type('Mine');
		composer.press('ctrl+c', 'ctrl+c');
		expect(composer.frame()).toContain('Leave all the same?');
		expect(composer.effects()).toEqual([]);
		composer.press('ctrl+c');
		expect(composer.effects()).toEqual([{do: 'leave'}]);
	});

	test('asks nothing when nothing was written', () => {
		const composer = openComposer({task: 'Said on the command line'});
		composer.press('esc', 'q');
		expect(composer.effects()).toEqual([{do: 'leave'}]);
	});
});

describe('PgUp', () => {
	test('goes to the agent before from wherever in an agent, and to the task from the first', () => {
		const composer = composeTwo(openComposer());
		const part = () => {
			const {composition, cursor} = composer.context().view;
			return fieldsOf(composition)[cursor];
		};

		composer.press('pageUp');
		expect(part()).toEqual({part: 'subtask', agent: 0});
		composer.press('down', 'pageUp');
		expect(part()).toEqual({part: 'task'});
		composer.press('pageDown', 'down', 'pageDown');
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
	] as const)('%s each key that has a label is in the footer', (_, keys) => {
		const composer = composeTwo(openComposer({size: {columns: 100, rows: 24}}));
		composer.press('pageUp', 'pageUp', ...keys);
		const footer = composer.frame().split('\n').at(-1) ?? '';
		const labelled = actionsHere(composer.context()).flatMap(({keys: [key = ''], label}) =>
			label === undefined ? [] : [`${keySign(key)} ${label}`],
		);
		expect(labelled.length).toBeGreaterThan(0);
		expect(labelled.filter(shown => !footer.includes(shown))).toEqual([]);
	});
});
