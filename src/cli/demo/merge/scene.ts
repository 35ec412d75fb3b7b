import type {Scene} from '../scene.ts';
import {decisions} from './decisions.ts';
import {discount} from './discount.ts';
import {files} from './files.ts';
import {plan} from './plan.ts';
import {receipt} from './receipt.ts';
import {tip} from './tip.ts';

/** Three agents, from plan to merge, with all that a person is for on the way. */
export const merge: Scene = {
	summary: 'three agents from plan to merge',
	opening: `Three agents will work at once on a small program, the till of a tea house.
The repository, the git, the processes and the checks are real; the agents are
shell scripts that say what coding agents say, and the person who decides is a
script, too: its decisions are marked "by: demo" in the journal. For each you
see what is offered, what is chosen and why, and the command that says the same.`,
	closing: `You saw a question answered instead of guessed, a checkpoint steered by a note,
a change outside the scope put back, two agents that collided in one file and
were brought together, a check of the merged tree, and one approval. Nothing
touched the branch before that approval, and nothing but it did.`,
	files,
	scripts: {'discount.sh': discount, 'tip.sh': tip, 'receipt.sh': receipt},
	plan,
	decisions,
};
