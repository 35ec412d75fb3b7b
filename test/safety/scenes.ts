import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {worktreePath} from '../../src/git/store/worktree-path.ts';
import type {InboxItem} from '../../src/rules/inbox.ts';
import {agentOf, isAtRest} from '../../src/state/select.ts';
import {busyFiles, makeBusy} from '../helpers/busy-checkout.ts';
import {agent, type PlanParts, scripted} from '../helpers/plan-file.ts';
import {makeProject, type Project} from '../helpers/project.ts';
import {git, write} from '../helpers/repository.ts';
import {expectMineUntouched, expectPromisesKept, lookBefore, type Merged} from './promises.ts';
import {type Choice, usualChoice} from './usual-choice.ts';
import {
	runWhole,
	type WholeEnd,
	type WholeSession,
	type WholeSessionParts,
} from './whole-session.ts';

/** A short session in which certain kinds of events happen. */
export type Scene = {
	readonly plan: () => PlanParts;
	readonly written: readonly string[];
	/** What the merge brings, by path. */
	readonly merged: Merged;
	/** Whether the person commits something of their own while the result waits for approval. */
	readonly movesTarget?: boolean;
	/** Returns what the person says who plays it once, where it is not what they usually say. */
	readonly person?: () => Person;
	/** Returns a place of its own to play it in once, where the usual one won't do. */
	readonly stage?: () => Promise<Stage>;
};

type Person = (item: InboxItem, session: WholeSession, project: Project) => Choice | undefined;

/** Where a scene is played, and what happens there meanwhile. */
type Stage = Required<Pick<WholeSessionParts, 'project' | 'disturb'>>;

export const shared = 'src/shared.txt';

/** Two agents: one asks, one leaves its scope and is reverted. */
export const quiet: Scene = {
	plan: () => ({
		agents: [agent('asks-once.sh', ['src/auth.txt']), agent('leaves-scope.sh', ['outside.txt'])],
		verify: ['cat src/auth.txt src/inside.txt'],
	}),
	written: ['not decided\n', 'oauth\n', 'out of bounds\n', 'inside\n'],
	merged: {'src/auth.txt': 'oauth', 'src/inside.txt': 'inside'},
};

/** Two agents whose work collides; the person resolves it by hand, and moves the target meanwhile. */
export const collision: Scene = {
	plan: () => ({
		agents: [
			agent('edits.sh', [shared, 'left', 'src/left.txt', 'left']),
			agent('edits.sh', [shared, 'right']),
		],
	}),
	written: ['left\n', 'right\n'],
	merged: {'src/left.txt': 'left', [shared]: 'left and right'},
	movesTarget: true,
};

/** An agent that reads its answer from its open input, and one over ACP that asks for a permission. */
export const live: Scene = {
	plan: () => ({
		agents: [
			agent('asks-live.sh', ['src/port.txt'], {reply: 'stdin'}),
			scripted({
				steps: [{write: {path: 'src/work.txt', text: 'whole\n'}}, {run: 'true'}, {complete: {}}],
			}),
		],
	}),
	written: ['whole\n', '8080\n'],
	merged: {'src/port.txt': '8080', 'src/work.txt': 'whole'},
};

/** Each worktree is set up again each time; one agent builds on another, loses its worktree and has it made anew, and a third one brings its work in again on top of the first. */
export const stacked: Scene = {
	plan: () => ({
		setup: ['date +%s%N > src/generated.txt'],
		agents: [
			agent('edits.sh', [shared, 'left', 'src/left.txt', 'left']),
			agent('keeps-both.sh', [shared, 'right']),
			agent('checks-in.sh', ['src/late.txt'], {after: ['AGT-001'], resume: 'completed'}),
		],
	}),
	written: ['left\n', 'right\n', 'draft\n', 'left\nright\n'],
	merged: {
		'src/late.txt': 'CHECKPOINT REVIEWED Note: go on',
		'src/left.txt': 'left',
		[shared]: 'left\nright',
	},
	person: () => {
		let isLost = false;
		return (item, {waits, folder}) => {
			if (item.kind === 'conflict') {
				return {choice: 'redo:AGT-001,AGT-002'};
			}

			if (item.kind !== 'checkpoint' || item.agent === undefined) {
				return undefined;
			}

			const one = agentOf(waits.state(), item.agent);
			if (one === undefined || !isAtRest(one)) {
				// It is refused, and they are asked again.
				return {choice: 'not yet'};
			}

			if (!isLost) {
				rmSync(folder.agent(item.agent).tree, {recursive: true});
				isLost = true;
			}

			return {choice: 'continue', note: 'go on'};
		};
	},
};

/** Makes the checkout in which scenes are played, in a folder of its own unless one is named. */
export const makeBusyProject = (folder?: string): Project => {
	const project = makeProject({...busyFiles, [shared]: 'base\n'}, folder);
	makeBusy(project.root);
	return project;
};

/** Plays a scene in a checkout that is in the middle of work, and expects that nothing is lost over it. */
export const playScene = async (
	scene: Scene,
	parts: Partial<Omit<WholeSessionParts, 'plan'>> = {},
): Promise<WholeEnd> => {
	const stage = await scene.stage?.();
	const {project = stage?.project ?? makeBusyProject()} = parts;
	const {root} = project;
	let before = lookBefore(root);
	let onto = git(root, 'rev-parse', 'main');
	let isToMove = scene.movesTarget === true;
	const says = scene.person?.() ?? (() => undefined);
	const choose = async (item: InboxItem, session: WholeSession): Promise<Choice> => {
		if (item.kind === 'approval' && isToMove) {
			isToMove = false;
			expectMineUntouched({project, before, merged: {}});
			onto = commitOwn(root);
			before = lookBefore(root);
		}

		return (
			says(item, session, project) ??
			(item.kind === 'conflict' ? byHand(item, session) : usualChoice(item))
		);
	};

	const end = await runWhole({choose, ...stage, ...parts, project, plan: scene.plan()});
	const {written, merged} = scene;
	await expectPromisesKept({project, before, end, written, merged, onto});
	return end;
};

/** Commits one file of the person's, and leaves all else that is staged as it is. */
const commitOwn = (root: string): string => {
	write(root, {'mine.txt': 'my own work\n'});
	git(root, 'add', 'mine.txt');
	git(root, 'commit', '--quiet', '--only', '--message', 'my own commit', 'mine.txt');
	return git(root, 'rev-parse', 'main');
};

/** Resolves a conflict by hand: opens the folder, writes the file, says that it is done. */
const byHand = ({id, choices}: InboxItem, {folder}: WholeSession): Choice => {
	if (choices.some(({choice}) => choice === 'manual')) {
		return {choice: 'manual'};
	}

	const file = join(worktreePath(folder.resolution(id), 'files'), shared);
	if (existsSync(file)) {
		writeFileSync(file, 'left and right\n');
	}

	return {choice: 'done'};
};
