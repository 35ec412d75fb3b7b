import {expect, test} from 'vitest';
import {tipOf} from '../../../src/git/repository/repository.ts';
import {defined} from '../../../src/lib/values.ts';
import {gather} from '../../../src/supervisor/merging/gather.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {accepted, completed, type Given, report, working} from '../../helpers/given.ts';
import {mergeBuilt} from '../../helpers/happened.ts';
import {build, collide, verify} from '../../helpers/merging.ts';
import {subtask} from '../../helpers/plan.ts';
import {commitAll, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {requireCommand} from '../../helpers/typed.ts';
import {makeSupervised} from '../world.ts';

const request = '[DELEGATE_WORK]\nnew_task_description: Set up Redis\n[/DELEGATE_WORK]\n';
const blocker = '[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n';

/** What is gathered for a decision on the item of a kind. */
const gathered = async (
	given: Given,
	kind: 'delegation' | 'blocker' | 'approval' | 'review' | 'conflict',
	decision: {readonly choice: string; readonly note?: string},
	from = given.state(),
) => {
	const {world} = await makeSupervised({'readme.md': 'hello\n'});
	const {id: item} = given.item(kind);
	const command = requireCommand(given.state(), {kind: 'decide', item, by: 'user', ...decision});
	return {world, command, found: await gather(world, from, command)};
};

const asking = (text: string): Given => {
	const given = working(['AGT-001']);
	given.says('AGT-001', text);
	return given;
};

test.each([
	['a request is taken as it was made', request, 'approve', undefined, 'Set up Redis'],
	['a note on one that is approved is no task', request, 'approve', 'soon', 'Set up Redis'],
	[
		'one that is edited is what the person wrote',
		request,
		'edit',
		'Set up SQLite',
		'Set up SQLite',
	],
	['one that is edited to nothing stays', request, 'edit', undefined, 'Set up Redis'],
	['what stops an agent is a task for another one', blocker, 'delegate', undefined, 'no disk'],
	['also with a note, which is told besides', blocker, 'delegate', 'Mind the price', 'no disk'],
])('%s', async (_, text, choice, note, task) => {
	const kind = text === request ? 'delegation' : 'blocker';
	const decision = note === undefined ? {choice} : {choice, note};
	const {found} = await gathered(asking(text), kind, decision);
	expect(found).toMatchObject({subtask: {id: 'AGT-002', subtask: task}});
});

test('who is not to be added needs no subtask, and one that is given stays', async () => {
	for (const [text, kind, choice] of [
		[request, 'delegation', 'reject'],
		[blocker, 'blocker', 'retry'],
	] as const) {
		const {found, command} = await gathered(asking(text), kind, {choice});
		expect(found).toEqual(command);
	}

	const own = {choice: 'approve', subtask: subtask('AGT-007')};
	expect((await gathered(asking(request), 'delegation', own)).found).toMatchObject({
		subtask: own.subtask,
	});
});

test('a request of an agent that is in no plan adds nobody', async () => {
	const given = asking(request);
	const {found, command} = await gathered(
		given,
		'delegation',
		{choice: 'approve'},
		{...given.state(), agents: []},
	);
	expect(found).toEqual(command);
});

test('an approval is given for the tip where the target stands now, whatever was said of it', async () => {
	const given = accepted(['AGT-001']);
	build(given);
	verify(given, true);
	const lie = {choice: 'approve', seen: {tip: 'elsewhere'}};
	const {world, command, found} = await gathered(given, 'approval', lie);
	const {target} = requireSession(given.state());
	const tip = await tipOf(world.repository, target);
	expect(tip).toMatch(/^[\da-f]{40}$/);
	expect(found).toMatchObject({seen: {tip}});
	git(world.repository.root, 'branch', '--move', target, 'elsewhere');
	expect(await gather(world, given.state(), command)).toMatchObject({seen: {}});
	expect(await gather(world, given.state(), {kind: 'stop'})).toEqual({kind: 'stop'});
});

test('an approval of a result with conflict markers is held up until it names each of them', async () => {
	const given = accepted(['AGT-001']);
	const doubts = ['Conflict markers remain in src/limit.js.'];
	given.tell(mergeBuilt({notes: ['It has a note.', ...doubts]}));
	verify(given, true);
	const {world, found} = await gathered(given, 'approval', {choice: 'approve'});
	expect(found).toMatchObject({seen: {doubts}});
	const {id: item} = given.item('approval');
	given.tell({kind: 'user.decided', item, choice: 'approve', by: 'user', doubts});
	const again = (despite?: readonly string[]) =>
		gather(
			world,
			given.state(),
			requireCommand(given.state(), {
				...{kind: 'decide', item, choice: 'approve', by: 'user'},
				...defined({despite}),
			}),
		);
	for (const unknown of [undefined, [], ['It has a note.'], [...doubts, 'More.']]) {
		expect(await again(unknown)).toMatchObject({seen: {doubts}});
	}

	expect(await again(doubts)).not.toHaveProperty('seen.doubts');
});

test('a conflict that is resolved by hand is taken as it is in its folder, any other choice needs no look', async () => {
	const given = accepted(['AGT-001', 'AGT-002']);
	collide(given, {path: 'a.txt', a: ['AGT-001'], b: ['AGT-002']});
	given.decide('c-1', 'manual');
	const folder = temporaryFolder();
	write(folder, {'files/a.txt': 'both\n'});
	given.tell({kind: 'resolution.opened', conflict: 'c-1', folder});
	const {world, found} = await gathered(given, 'conflict', {choice: 'done'});
	const entry = {mode: '100644', oid: expect.stringMatching(/^[\da-f]{40}$/)};
	expect(found).toMatchObject({seen: {marked: [], files: [{path: 'a.txt', entry}]}});
	const other = requireCommand(given.state(), {
		kind: 'decide',
		item: 'c-1',
		choice: 'choose-one:AGT-001',
		by: 'user',
	});
	expect(await gather(world, given.state(), other)).toEqual(other);
});

test('what was picked of several rivals is found as the files of each, and only in the work that was seen', async () => {
	const {world} = await makeSupervised({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const {root} = world.repository;
	const base = git(root, 'rev-parse', 'HEAD');
	const workIn = (path: string): string => {
		git(root, 'checkout', '--quiet', '--detach', base);
		write(root, {[path]: 'changed\n'});
		return commitAll(root);
	};
	const works = {'AGT-001': base, 'AGT-002': workIn('a.txt'), 'AGT-003': workIn('b.txt')};
	const given = completed(Object.keys(works).map(id => subtask(id, {bestOf: 'AGT-001'})));
	const agents = given.state().agents.map(agent => ({
		...agent,
		snapshots: agent.snapshots.map(one => ({
			...one,
			work: new Map(Object.entries(works)).get(agent.id) ?? '',
			startingPoint: {...one.startingPoint, base},
		})),
	}));
	const parts = [{file: 0, hunks: [0]}];
	const taken = (third: string) =>
		gather(
			world,
			{...given.state(), agents},
			requireCommand(given.state(), {
				...{kind: 'decide', item: 'r-1', by: 'user', choice: 'merge-with:AGT-002'},
				picked: {work: works['AGT-002'], parts, also: [{agent: 'AGT-003', work: third, parts}]},
			}),
		);
	expect(await taken(works['AGT-003'])).toMatchObject({
		seen: {files: [{path: 'a.txt'}, {path: 'b.txt', of: 'AGT-003'}]},
	});
	await expect(taken(base)).rejects.toThrow('The work of AGT-003 has changed');
});

test('what is salvaged of a work has to be something that it changed, so that a slip drops nothing', async () => {
	const {world} = await makeSupervised({'a.txt': 'a\n'});
	const {root} = world.repository;
	const base = git(root, 'rev-parse', 'HEAD');
	write(root, {'a.txt': 'changed\n'});
	const work = commitAll(root);
	const given = working(['AGT-001']);
	given.says('AGT-001', report('partial'));
	given.ends('AGT-001');
	given.work();
	const agents = given.state().agents.map(agent => ({
		...agent,
		snapshots: agent.snapshots.map(one => ({
			...{...one, work},
			startingPoint: {...one.startingPoint, base},
		})),
	}));
	const state = {...given.state(), agents};
	const salvaging = (note: string) => {
		const typed = {kind: 'decide', item: 'f-1', by: 'user', choice: 'salvage', note} as const;
		return gather(world, state, requireCommand(state, typed));
	};
	expect(await salvaging('*.txt')).toMatchObject({note: '*.txt'});
	await expect(salvaging('a.txt docs/**')).rejects.toThrow(
		'changed no file that `docs/**` matches',
	);
});
