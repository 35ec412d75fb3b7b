import {execFileSync} from 'node:child_process';
import type {Body} from '../../src/events/event.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {State} from '../../src/state/state.ts';
import {build} from '../../src/supervisor/perform/build.ts';
import {requireSession} from '../../src/supervisor/world.ts';
import {accepted} from '../helpers/given.ts';
import type {Files} from '../helpers/repository.ts';
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
	const [tip = base, ...commits] = commitEach(root, base, [target, ...works]);
	const given = accepted(works.map((_, index) => `AGT-00${index + 1}`)).state();
	const startingPoint = {base, baseline: base, onto: [], conflicts: []};
	const agents = given.agents.map((agent, index): State['agents'][number] => ({
		...agent,
		subtask: {...agent.subtask, scope: {allowed: ['src/**'], forbidden: []}},
		workspace: {phase: 'ready', ...startingPoint},
		snapshots: agent.snapshots.map(one => ({
			...one,
			startingPoint,
			work: commits[index] ?? base,
		})),
	}));
	const state: State = {...given, agents, session: {...requireSession(given), base, tip}};
	return {world, state};
};

/** Returns a commit on the base for each set of changes, the base where nothing changes; one git makes all of them. */
const commitEach = (root: string, base: string, sets: readonly Changed[]): readonly string[] => {
	const marked = sets.map((files, index) => [index + 1, Object.entries(files)] as const);
	const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
	const commands = marked
		.filter(([, files]) => files.length > 0)
		.map(([mark, files]) =>
			[
				`commit refs/works/${mark}\nmark :${mark}\n`,
				`committer Ada Person <ada@example.org> 1700000000 +0000\n${data('change')}from ${base}\n`,
				...files.map(([path, text]) =>
					text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
				),
				`\nget-mark :${mark}\n`,
			].join(''),
		);
	const args = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--done'];
	const input = `${commands.join('')}done\n`;
	const made = execFileSync('git', args, {cwd: root, encoding: 'utf8', input}).split('\n').values();
	return marked.map(([, files]) => (files.length === 0 ? base : (made.next().value ?? base)));
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
