import {mkdirSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import type {State} from '../../../src/state/state.ts';
import {watchCheckout} from '../../../src/supervisor/machine/checkout.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

/** A checkout that is watched, and what is reported of it. */
const watched = async ({areShutIn = false} = {}) => {
	const files = {'a.txt': 'a\n', 'b/c.txt': 'c\n', 'docs/01_progress.md': 'Day one\n'};
	const {world, state: before} = await makeSupervised(files);
	let state: State = before;
	const told: Body[] = [];
	const turns = new Map<string, never>();
	const {repository} = world;
	const watch = watchCheckout({
		repository,
		state: () => state,
		turns,
		report: body => void told.push(body),
		areShutIn: () => areShutIn,
	});
	onTestFinished(watch.close);
	return {
		...watch,
		root: repository.root,
		turns,
		told: () => told.splice(0),
		set: (more: Partial<State>) => {
			state = {...state, ...more};
		},
		tip: (tip: string) => {
			state = {...state, session: state.session && {...state.session, tip}};
		},
	};
};

test('nobody is told of what is written while agents can write only what is theirs', async () => {
	const {begin, look, root, told} = await watched({areShutIn: true});
	await begin('AGT-001');
	write(root, {'a.txt': 'by the person\n'});
	await look('AGT-001');
	expect(told()).toEqual([]);
});

test('what is written in the checkout while agents are at work is told once, with their names', async () => {
	const {begin, look, root, turns, told} = await watched();
	await look();
	write(root, {'a.txt': 'by the person\n'});
	await begin('AGT-001');
	turns.set('AGT-001', undefined as never);
	await begin('AGT-002');
	await look();
	expect(told()).toEqual([]);

	write(root, {'a.txt': 'by anybody\n', 'new.txt': 'untracked\n', 'docs/01_progress.md': 'Two\n'});
	rmSync(join(root, 'b/c.txt'));
	await look('AGT-002');
	const paths = ['a.txt', 'b/c.txt'];
	const agents = ['AGT-001', 'AGT-002'];
	expect(told()).toEqual([{kind: 'machine.checkout', paths, count: 2, agents}]);
	await look();
	expect(told()).toEqual([]);
	mkdirSync(join(root, 'b/c.txt'));
	await look('AGT-001');
	expect(told()).toMatchObject([{paths: ['b/c.txt'], agents: ['AGT-001']}]);

	turns.clear();
	write(root, {'a.txt': 'by the person again\n'});
	await begin('AGT-001');
	await look();
	expect(told()).toEqual([]);
});

test('what a move of the branch writes is nobody’s', async () => {
	const {begin, look, root, told, set, tip} = await watched();
	await begin('AGT-001');
	write(root, {'a.txt': 'merged\n'});
	git(root, 'commit', '--quiet', '--all', '--message', 'merged');
	tip(git(root, 'rev-parse', 'HEAD'));
	await look();
	expect(told()).toEqual([]);

	set({interrupted: [{from: 'a', to: 'b', since: ''} as never]});
	write(root, {'a.txt': 'half merged\n'});
	await look();
	set({interrupted: []});
	await look();
	expect(told()).toEqual([]);
});

test('a file that is replaced after a look that found nothing is told', async () => {
	const {begin, look, root, told} = await watched();
	await begin('AGT-001');
	await look();
	await look();
	write(root, {'b/new.txt': 'by an editor\n'});
	renameSync(join(root, 'b/new.txt'), join(root, 'b/c.txt'));
	await look();
	expect(told()).toMatchObject([{paths: ['b/c.txt'], count: 1}]);
	rmSync(join(root, 'b'), {recursive: true});
	await look();
	expect(told()).toMatchObject([{paths: ['b/c.txt'], count: 1}]);
	write(root, {'b/c.txt': 'again\n'});
	await look();
	write(root, {'b/c.txt': 'and again, in a folder that was made anew\n'});
	await look();
	expect(told()).toMatchObject([{paths: ['b/c.txt']}, {paths: ['b/c.txt']}]);
});
