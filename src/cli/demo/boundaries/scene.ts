import type {Scene} from '../scene.ts';
import {files} from '../till.ts';
import {decisions} from './decisions.ts';
import {loyalty} from './loyalty.ts';
import {menu} from './menu.ts';
import {plan} from './plan.ts';

/** Two agents that try all that they may not, and what becomes of it. */
export const boundaries: Scene = {
	summary: 'agents that go too far, and what holds them',
	opening: `Two agents will work on a small program, the till of a tea house, and go too far:
one writes where it may not, asks for a larger scope, tries to push and wants to
run a command; the other floods its output. Repository, git, processes and checks
are real; the agents play scenes over the Agent Client Protocol, and the person
who decides is a script: its decisions are marked "by: demo" in the journal.`,
	closing: `You saw a write outside the scope refused, one behind our back reverted and kept
as a patch, a path allowed because a person said so, a push refused, a command
that waited for permission, and a flood that drowned nobody. What was merged is what
the scopes allow.`,
	files,
	plan,
	cast: {menu: {scene: menu}, loyalty: {scene: loyalty}},
	decisions,
};
