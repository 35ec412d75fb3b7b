import type {Scene} from '../scene.ts';
import {card} from './card.ts';
import {decisions} from './decisions.ts';
import {files} from './files.ts';
import {plan} from './plan.ts';
import {sizes} from './sizes.ts';

/** Two agents that git can merge without a word, and whose merge does not work. */
export const collisions: Scene = {
	summary: 'two agents that break each other where git sees nothing',
	opening: `Two agents will work on a small program in TypeScript, the till of a tea house.
They share no file, so git can merge them without a word, and each one’s tests
pass; yet one changes a function that the other calls. Repository, git, compiler
and checks are real; the agents play scenes over the Agent Client Protocol, and
the person who decides is a script: its decisions are marked "by: demo".`,
	closing: `You saw a collision told while both agents were still at work, with the lines of
both and the compiler’s own error; the same one asked about before anything was
merged, and one way out checked before it was chosen; and one agent that mended
its call on top of the other’s work.`,
	files,
	plan,
	cast: {sizes: {scene: sizes}, card: {scene: card}},
	decisions,
};
