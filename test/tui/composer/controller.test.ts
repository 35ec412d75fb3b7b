import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {savePlan} from '../../../src/cli/plan/compose.ts';
import {Failure} from '../../../src/lib/failure.ts';
import {
	type Controller,
	createController,
	type Ending,
	type Outside,
} from '../../../src/tui/composer/controller.ts';
import {composerActions} from '../../../src/tui/composer/keys.ts';
import {beginComposition} from '../../../src/tui/composer/model/composition.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {keyboard, small} from '../a-screen.ts';
import {desk} from './a-composer.ts';

type Opened = {
	readonly controller: Controller;
	readonly press: (...keys: readonly string[]) => void;
	readonly write: (path: string) => void;
	readonly says: (text: string) => Promise<void>;
	readonly ending: () => Ending | undefined;
};

/** Context, check, goal, metrics and scope are asked for once each. */
const askedFor: readonly string[] = Array(5).fill('ctrl+r');

const open = (outside: Partial<Outside> = {}): Opened => {
	let ending: Ending | undefined;
	const controller = createController({
		desk,
		composition: beginComposition('Try', 'claude'),
		table: composerActions,
		size: small,
		onEnd: end => {
			ending = end;
		},
		outside: {
			read: async path => readFileSync(path, 'utf8'),
			save: savePlan,
			propose: async () => '',
			run: async () => {},
			...outside,
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
					return dialog.kind === 'confirming' ? dialog.question : (notice?.text ?? '');
				})
				.toContain(text),
		ending: () => ending,
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
	expect(controller.context().view.composition.task).toBe('Try');
});

test('the plan is judged again once the keys pause', async () => {
	const {controller} = open();
	controller.take({kind: 'key', key: 'a'});
	expect(controller.context().judgement.composition.subtasks[0]?.subtask).toBe('');
	const heard = new Promise<void>(resolve => {
		controller.subscribe(resolve);
	});
	await heard;
	expect(controller.context().judgement.composition.subtasks[0]?.subtask).toBe('a');
});

test('a session that could not be started leaves the person where they were, with the cause', async () => {
	const {press, controller, says, ending} = open({
		run: () => Promise.reject(new Failure('refused', 'One at a time.', {hint: 'stop it'})),
	});
	controller.take({kind: 'paste', text: 'Do one thing'});
	press('esc', ...askedFor, 'ctrl+r', 'y');
	await says('One at a time. (stop it)');
	expect(ending()).toBeUndefined();
});

test('a session that was started ends the composer', async () => {
	const started: string[] = [];
	const {press, controller, ending} = open({
		run: async text => {
			started.push(text);
		},
	});
	controller.take({kind: 'paste', text: 'Do one thing'});
	press('esc', ...askedFor, 'ctrl+r', 'y');
	await expect.poll(ending).toBe('started');
	expect(started).toEqual([controller.context().judgement.text]);
});
