import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {InboxItem} from '../../src/rules/inbox.ts';
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
};

const shared = 'src/shared.txt';

/** Two agents: one asks, one leaves its scope and is put back. */
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

/** Makes the checkout in which scenes are played. */
export const makeBusyProject = (): Project => {
	const project = makeProject({...busyFiles, [shared]: 'base\n'});
	makeBusy(project.root);
	return project;
};

/** Plays a scene in a checkout that is in the middle of work, and expects that nothing is lost over it. */
export const playScene = async (
	scene: Scene,
	parts: Partial<Omit<WholeSessionParts, 'plan'>> = {},
): Promise<WholeEnd> => {
	const {project = makeBusyProject()} = parts;
	const {root} = project;
	let before = lookBefore(root);
	let onto = git(root, 'rev-parse', 'main');
	let isToMove = scene.movesTarget === true;
	const choose = async (item: InboxItem, session: WholeSession): Promise<Choice> => {
		if (item.kind === 'approval' && isToMove) {
			isToMove = false;
			expectMineUntouched({project, before, merged: {}});
			onto = commitOwn(root);
			before = lookBefore(root);
		}

		return item.kind === 'conflict' ? byHand(item, session) : usualChoice(item);
	};

	const end = await runWhole({choose, ...parts, project, plan: scene.plan()});
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

	const file = join(folder.resolution(id), 'files', shared);
	if (existsSync(file)) {
		writeFileSync(file, 'left and right\n');
	}

	return {choice: 'done'};
};
