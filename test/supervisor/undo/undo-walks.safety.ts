import {expect, test} from 'vitest';
import {eventText} from '../../../src/client/texts/event-text.ts';
import type {UndoOffer} from '../../../src/rules/undo-offer.ts';
import {git, write} from '../../helpers/repository.ts';
import {drawFrom} from '../../safety/chance.ts';
import {times} from '../../safety/figures.ts';
import {makeUndoable, subject} from './undoable.ts';

type World = Awaited<ReturnType<typeof makeUndoable>>;

/** What is true of the branch, as a person would say it. */
type Model = {
	isMerged: boolean;
	/** The lines that the person has put at the end of a file that the merge changed at its start. */
	tail: string;
	/** The person's own files, and their commits. */
	readonly files: Record<string, string>;
	readonly commits: string[];
};

const walks = Array.from({length: times({part: 4, deep: 40})}, (_, index) => index + 1);

test.each(walks)(
	'whatever a person does between undos, each takes the merge away or brings it back, and names it: walk %i',
	async seed => {
		const world = await makeUndoable();
		const model: Model = {isMerged: true, tail: '', files: {}, commits: []};
		const draw = drawFrom(seed * 7919);
		const trail: string[] = [];
		for (let step = 0; step < 14; step++) {
			const action = actions[draw(actions.length)] ?? turnRound;
			trail.push(action.name);
			await action(world, model, step).catch(error => {
				throw new Error(`after ${trail.join(', ')}`, {cause: error});
			});
			expectBranch(world, model, trail);
		}
	},
);

type Action = (world: World, model: Model, step: number) => Promise<void>;

const turnRound: Action = async (world, model) => {
	const {root, context, merge, given, turn} = world;
	const before = {
		head: git(root, 'rev-parse', '--symbolic-full-name', 'HEAD'),
		mine: statusOf(root),
	};
	const stood = git(root, 'rev-parse', 'HEAD');
	const done: UndoOffer = await turn(context);
	expect(done).toMatchObject({turn: model.isMerged ? 'undo' : 'redo', merge, subject});
	model.isMerged = !model.isMerged;

	expect(statusOf(root)).toBe(before.mine);
	expect(git(root, 'rev-parse', '--symbolic-full-name', 'HEAD')).toBe(before.head);
	if (before.head !== 'refs/heads/main') {
		expect(git(root, 'rev-parse', 'HEAD')).toBe(stood);
	}

	const [intended, told] = given.events().slice(-2);
	expect(intended).toMatchObject({kind: 'merge.intended', undoes: merge});
	expect(told).toMatchObject(model.isMerged ? {redoes: merge} : {commit: merge});
	expect(told && eventText(told)).toContain(merge.slice(0, 10));
};

const commitElsewhere: Action = async (world, model, step) => {
	model.files[`mine-${step}.txt`] = `${step}`;
	commit(world, model, {[`mine-${step}.txt`]: `${step}`}, step);
};

const commitInTheSameFile: Action = async (world, model, step) => {
	model.tail += `mine ${step}\n`;
	commit(world, model, {'a.txt': fileOf(world, model)}, step);
};

const commitInTheSamePlace: Action = async (world, model, step) => {
	commit(world, model, {'a.txt': `mine ${step}\n`}, step);
	await expectRefused(world, model, /changed the same places.*: a\.txt$/);
	commit(world, model, {'a.txt': fileOf(world, model)}, step);
};

const turnRoundByHand: Action = async (world, model, step) => {
	const {root, from, merge} = world;
	commit(world, model, {}, step, model.isMerged ? from : merge);
	await expectRefused(world, model, /^Nothing of the merge|holds all of it again/);
	commit(world, model, {}, step, model.isMerged ? merge : from);
	expect(statusOf(root)).not.toContain('a.txt');
};

const editWithoutCommit: Action = async ({root}, _, step) => {
	write(root, {'b.txt': `an edit ${step}\n`, 'untracked.txt': `${step}\n`});
};

const goAway: Action = async ({root}) => {
	git(root, 'checkout', '--quiet', '--detach');
};

const goToAnotherBranch: Action = async ({root}) => {
	git(root, 'checkout', '--quiet', '-B', 'side');
};

const comeBack: Action = async ({root}) => {
	git(root, 'checkout', '--quiet', 'main');
};

const tag: Action = async ({root}, _, step) => {
	git(root, 'tag', `tag-${step}`, 'main');
};

/** As often as it stands here, so often it is done. */
const actions: readonly Action[] = [
	...Array.from({length: 8}, () => turnRound),
	...[commitElsewhere, commitElsewhere, commitInTheSameFile, commitInTheSamePlace],
	...[turnRoundByHand, editWithoutCommit, goAway, goToAnotherBranch, comeBack, tag],
];

/** The person goes to the branch and commits those files, and what another commit has of the merge's. */
const commit = (
	{root, merged}: World,
	{commits, isMerged: _, tail}: Model,
	files: Readonly<Record<string, string>>,
	step: number,
	like?: string,
): void => {
	git(root, 'checkout', '--quiet', 'main');
	write(root, files);
	if (like !== undefined) {
		git(root, 'rm', '--quiet', '--ignore-unmatch', '--', ...merged);
		const there = git(root, 'ls-tree', '--name-only', like, '--', ...merged).split('\n');
		git(root, 'checkout', '--quiet', like, '--', ...there);
		write(root, {'a.txt': `${git(root, 'show', `${like}:a.txt`)}\n${tail}`});
	}

	git(root, 'add', '--', ...Object.keys(files), ...(like === undefined ? [] : ['a.txt']));
	git(root, 'commit', '--quiet', '--message', `person ${step}`);
	commits.push(git(root, 'rev-parse', 'main'));
};

const expectRefused = async ({turn, context, merge}: World, {commits}: Model, why: RegExp) => {
	const refusal = await turn(context).catch((error: unknown) => error);
	expect(refusal).toMatchObject({kind: 'refused', message: expect.stringMatching(why)});
	const {message, hint} = Object(refusal);
	expect(message).toContain(merge.slice(0, 10));
	for (const id of commits) {
		expect(`${message} ${hint}`).not.toContain(id.slice(0, 10));
	}
};

const fileOf = ({lines}: World, {isMerged, tail}: Model): string =>
	`${lines(isMerged ? 'merged' : 'a')}${tail}`;

const expectBranch = (world: World, model: Model, trail: readonly string[]): void => {
	const {root} = world;
	const {isMerged, files, commits} = model;
	const names = isMerged ? ['new.txt'] : ['gone.txt'];
	const paths = ['a.txt', 'b.txt', ...names, ...Object.keys(files)].toSorted();
	const where = trail.join(', ');
	expect(git(root, 'ls-tree', '--name-only', 'main').split('\n').toSorted(), where).toEqual(paths);
	expect(`${git(root, 'show', 'main:a.txt')}\n`, where).toBe(fileOf(world, model));
	for (const [path, content] of Object.entries(files)) {
		expect(git(root, 'show', `main:${path}`), where).toBe(content);
	}

	const known = git(root, 'log', '--format=%H', 'main').split('\n');
	expect(known, where).toEqual(expect.arrayContaining(commits));
	const subjects = git(root, 'log', '--format=%s', 'main').split('\n');
	const ours = subjects.filter(one => /delegate|Re(?:vert|apply)/.test(one));
	expect(new Set([...ours, `Revert "${subject}"`, `Reapply "${subject}"`]).size, where).toBe(2);
};

const statusOf = (root: string): string => git(root, 'status', '--porcelain');
