import type {Scene} from '../scene.ts';
import {files} from '../till.ts';
import {decisions} from './decisions.ts';
import {discount} from './discount.ts';
import {plan} from './plan.ts';
import {receipt} from './receipt.ts';
import {tip} from './tip.ts';

/** Three agents from plan to merge, with all that a person is for on the way. */
export const merge: Scene = {
	summary: 'three agents from plan to merge',
	opening: `Three agents will work at once on a small program, the till of a tea house.
The repository, the git, the processes and the checks are real; the agents play
scenes over the Agent Client Protocol, and the person who decides is a script:
its decisions are marked "by: demo" in the journal. For each you see what is
offered, what is chosen and why, and the command that says the same.`,
	closing: `You saw a question answered instead of guessed, a checkpoint that waited to be
reviewed, a change outside the scope reverted, two agents that collided in one
file and were brought together, a check of the merged tree, and one approval.
Nothing touched the branch before that approval, and nothing but it did.`,
	files,
	plan,
	cast: {discount: {scene: discount}, tip: {scene: tip}, receipt: {scene: receipt}},
	decisions,
};
