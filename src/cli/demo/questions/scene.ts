import type {Scene} from '../scene.ts';
import {files} from '../till.ts';
import {decisions} from './decisions.ts';
import {discount} from './discount.ts';
import {plan} from './plan.ts';
import {split} from './split.ts';

/** Two agents that ask instead of guessing, one of them two things at once, both the same. */
export const questions: Scene = {
	summary: 'two agents that ask: several things at once, the same thing, and what is urgent',
	opening: `Two agents will work on the till of a tea house, and neither can know how it
rounds. One asks two things at once, which is one form on the screen; the other
asks one of them, too, and says that it is urgent. Both let go and are started
again with the answers. The agents are shell scripts, and the person who decides
is a script, too: its decisions are marked "by: demo".`,
	closing: `You saw questions that wait without limit, an urgent one that stood first, two
that were one form, and two agents that asked the same. Nobody guessed, and each
answer is in the log: delegate-tui log --questions.`,
	files,
	plan,
	cast: {discount: {script: discount}, split: {script: split}},
	decisions,
};
