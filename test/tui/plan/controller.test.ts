import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {savePlan} from '../../../src/cli/plan/compose.ts';
import {emptyStore} from '../../../src/client/store/publisher.ts';
import {Failure} from '../../../src/lib/failure.ts';
import {type Controller, createController} from '../../../src/tui/controller.ts';
import {withKeys} from '../../../src/tui/keys.ts';
import {fieldAt} from '../../../src/tui/model/plan.ts';
import type {View} from '../../../src/tui/model/view.ts';
import {beginComposition, type Composition} from '../../../src/tui/plan/composition.ts';
import type {PlanOutside} from '../../../src/tui/plan/desk.ts';
import {withoutSession} from '../../../src/tui/screen.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {keyboard, small} from '../a-screen.ts';
import {desk} from './a-form.ts';

type Opened = {
	readonly controller: Controller;
	readonly press: (...keys: readonly string[]) => void;
	readonly write: (path: string) => void;
	readonly says: (text: string) => Promise<void>;
	readonly hasLeft: () => boolean;
};

/** Context, check, goal, metrics and scope are asked for once each. */
const askedFor: readonly string[] = Array(5).fill('ctrl+r');

const judgedIn = ({place}: View): Composition | undefined =>
	place.at === 'plan' ? place.judged : undefined;

const open = (outside: Partial<PlanOutside> = {}): Opened => {
	let hasLeft = false;
	const controller = createController({
		...withoutSession('nobody'),
		edit: () => Promise.reject(new Error('nobody')),
		suspend: () => {},
		redraw: () => {},
		copy: () => {},
		store: emptyStore(),
		form: {
			desk: {
				...desk,
				read: async path => readFileSync(path, 'utf8'),
				save: savePlan,
				conversations: async () => [],
				propose: async () => '',
				handIn: async () => '',
				...outside,
			},
			composition: beginComposition('Try', 'claude'),
		},
		table: withKeys({}),
		size: small,
		onLeave: () => {
			hasLeft = true;
		},
	});
	onTestFinished(controller.close);
	const {press} = keyboard(key => controller.take({kind: 'key', key}));
	return {
		controller,
		press,
		write: path => {
			press('s', 'ctrl+u');
			controller.take({kind: 'paste', text: path});
			press('enter');
		},
		says: text =>
			expect
				.poll(() => {
					const {notice, dialog} = controller.context().view;
					return dialog.kind === 'confirm' ? dialog.question : (notice?.text ?? '');
				})
				.toContain(text),
		hasLeft: () => hasLeft,
	};
};

test('a plan is written to a file, and again without a question, unless somebody else has changed it', async () => {
	const path = join(temporaryFolder(), 'plan.yaml');
	const {press, write, says, controller} = open();
	press('esc');
	write(path);
	await says('Saved as');
	press('enter');
	controller.take({kind: 'paste', text: 'One more thing'});
	press('esc');
	write(path);
	await says('Saved as');
	expect(readFileSync(path, 'utf8')).toContain('subtask: One more thing');
	writeFileSync(path, 'theirs\n');
	write(path);
	await says('Replace it?');
	expect(readFileSync(path, 'utf8')).toBe('theirs\n');
});

test('a file that is there already is replaced only when the person says so', async () => {
	const path = join(temporaryFolder(), 'plan.yaml');
	writeFileSync(path, 'not ours\n');
	const {press, write, says} = open();
	press('esc');
	write(path);
	await says('is there already. Replace it?');
	press('n');
	expect(readFileSync(path, 'utf8')).toBe('not ours\n');
	write(path);
	await says('Replace it?');
	press('y');
	await says('Saved as');
	expect(readFileSync(path, 'utf8')).toContain('task: Try');
});

test('a folder that is not there is named as the cause, and nothing is lost', async () => {
	const {press, write, says, controller} = open();
	press('esc');
	write(join(temporaryFolder(), 'none', 'plan.yaml'));
	await says('could not be written');
	expect(judgedIn(controller.context().view)?.task).toBe('Try');
});

test('the plan is judged again once the keys pause', async () => {
	const {controller} = open();
	controller.take({kind: 'key', key: 'a'});
	expect(judgedIn(controller.context().view)?.subtasks[0]?.subtask).toBe('');
	const heard = new Promise<void>(resolve => {
		controller.subscribe(resolve);
	});
	await heard;
	expect(judgedIn(controller.context().view)?.subtasks[0]?.subtask).toBe('a');
});

test('a session that could not be started leaves the person where they were, with the cause', async () => {
	const {press, controller, says, hasLeft} = open({
		handIn: () => Promise.reject(new Failure('refused', 'One at a time.', {hint: 'stop it'})),
	});
	controller.take({kind: 'paste', text: 'Do one thing'});
	press('esc', ...askedFor, 'ctrl+r', 'y');
	await says('One at a time. (stop it)');
	expect(hasLeft()).toBe(false);
});

test('a session that was started ends the form', async () => {
	const started: string[] = [];
	const {press, controller, hasLeft} = open({
		handIn: async text => {
			started.push(text);
			return '';
		},
	});
	controller.take({kind: 'paste', text: 'Do one thing'});
	press('esc', ...askedFor, 'ctrl+r', 'y');
	await expect.poll(hasLeft).toBe(true);
	expect(started).toEqual([expect.stringContaining('subtask: Do one thing')]);
});

/** Goes to the field of the conversation that an agent goes on from, and has the agent list its own. */
const askForConversations = (
	controller: ReturnType<typeof open>['controller'],
	press: ReturnType<typeof open>['press'],
): void => {
	press('esc', 'a');
	const part = () => {
		const {place} = controller.context().view;
		return place.at === 'plan' ? fieldAt(place).part : undefined;
	};
	while (part() !== 'from') {
		press('down');
	}

	press('ctrl+t');
};

test('the conversations of an agent are listed by who can start it, and why not is told', async () => {
	const asked: string[] = [];
	const {controller, press, says} = open({
		conversations: name => {
			asked.push(name);
			return Promise.reject(new Error('This agent lists none.'));
		},
	});
	askForConversations(controller, press);
	await says('This agent lists none.');
	expect(asked).toEqual(['claude']);
});

test('an agent that does not come to list its conversations is stopped by a key, and the form stays', async () => {
	const {controller, press, says} = open({
		conversations: (_, signal) =>
			new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(new Error('You stopped asking.')));
			}),
	});
	askForConversations(controller, press);
	press('esc');
	await says('You stopped asking.');
	expect(controller.context().view).toMatchObject({place: {at: 'plan'}, dialog: {kind: 'none'}});
});
