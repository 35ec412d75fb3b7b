import type {Scene} from '../scene.ts';
import {files} from '../till.ts';
import {decisions} from './decisions.ts';
import {leftover} from './leftover.ts';
import {plan} from './plan.ts';
import {price} from './price.ts';

/** Two agents to whom all goes wrong that can, and whose work is merged all the same. */
export const recovery: Scene = {
	summary: 'a crash, a blocker, a failing check, and the way out of each',
	opening: `Two agents will work on a small program, the till of a tea house, and little will
go well: one crashes in the middle of its work, the other lacks something to go
on, and together they break the check. Repository, git, processes and checks are
real; the agents play scenes over the Agent Client Protocol, and the person who
decides is a script: its decisions are marked "by: demo" in the journal.`,
	closing: `You saw a crash that lost no work, a blocker that a person could clear, and a
check that failed where it should: on the merged tree, before anybody was asked
to approve. The branch saw none of it, only the result that passed.`,
	files,
	plan,
	cast: {price: {scene: price}, leftover: {scene: leftover}},
	decisions,
};
