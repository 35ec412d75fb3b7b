import {rmSync} from 'node:fs';
import {join} from 'node:path';
import type {Body} from '../../src/events/event.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {State} from '../../src/state/state.ts';
import {build} from '../../src/supervisor/perform/build.ts';
import {requireSession} from '../../src/supervisor/world.ts';
import {accepted} from '../helpers/given.ts';
import {commitAll, type Files, git, write} from '../helpers/repository.ts';
import {makeSupervised} from './world.ts';

/** Files by path; null is one that is deleted. */
export type Changed = Readonly<Record<string, string | null>>;

/** A session in which all work is accepted, one commit for each agent, that may write below src/. */
export const acceptedWork = async (
	before: Files,
	target: Changed,
	...works: readonly Changed[]
) => {
	const {world, state: empty} = await makeSupervised(before);
	const {root} = world.repository;
	const {base} = requireSession(empty);
	const commit = (files: Changed): string => {
		git(root, 'checkout', '--quiet', '--detach', base);
		for (const [name, content] of Object.entries(files)) {
			if (content === null) {
				rmSync(join(root, name));
			} else {
				write(root, {[name]: content});
			}
		}

		return Object.keys(files).length === 0 ? base : commitAll(root);
	};
	const tip = commit(target);
	const given = accepted(works.map((_, index) => `AGT-00${index + 1}`)).state();
	const startingPoint = {base, baseline: base, onto: [], conflicts: []};
	const agents = given.agents.map((agent, index): State['agents'][number] => ({
		...agent,
		subtask: {...agent.subtask, scope: {allowed: ['src/**'], forbidden: []}},
		workspace: {phase: 'ready', ...startingPoint},
		snapshots: agent.snapshots.map(one => ({
			...one,
			startingPoint,
			work: commit(works[index] ?? {}),
		})),
	}));
	const state: State = {...given, agents, session: {...requireSession(given), base, tip}};
	return {world, state};
};

/** The same, put together as far as it goes. */
export const builtWork = async (...parts: Parameters<typeof acceptedWork>) => {
	const {world, state} = await acceptedWork(...parts);
	return {world, state: believed(state, await build(world, state))};
};

/** What is believed once these things have happened, and all that follows from them at once. */
export const believed = (state: State, bodies: readonly Body[]): State => {
	let known = state;
	for (let due = bodies; due.length > 0; due = owed(known).events) {
		known = due.reduce((one, body) => apply(one, {...body, seq: one.seq + 1, at: one.at}), known);
	}

	return known;
};
