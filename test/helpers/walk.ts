import fc from 'fast-check';
import {expect, vi} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {acceptedAgents} from '../../src/state/merge/members.ts';
import type {State} from '../../src/state/state.ts';
import {createFakeWorld, type FakeWorld} from './fake-world.ts';
import {keepSeed, keptSeeds} from './kept-seeds.ts';
import {planOf, sessionStarted, subtask} from './plan.ts';
import {type ReferenceModel, referenceModel} from './reference-model.ts';
import {behaviourOf, type Whim, whimOf} from './whims.ts';

/** The walks to run: `numRuns` from a seed, or the one that fast-check named by seed and path. */
export type Walks = {
	readonly seed: number;
	readonly numRuns?: number;
	readonly path?: string;
	readonly kind?: WalkKind;
};

/** From the start of a session, the same with a clock that jumps back and forth or with a person who often merges accepted work early, or from a result that waits for approval. */
export type WalkKind = (typeof kinds)[number];

const kinds = [
	'walks',
	'walks with clock jumps',
	'walks with early merges',
	'walks from the approval',
] as const;

/**
Walks a session of five agents at random, with a fake world and a fake clock, and then lets a person bring it to its end.

Fails if a promise or an invariant breaks on the way, if no step is possible before the end, or if the end does not come. A failure is not shrunk: a shorter walk is no clearer, and finding it takes minutes.
*/
export const expectWalks = async ({
	seed,
	numRuns = 1,
	path,
	kind = 'walks',
}: Walks): Promise<void> => {
	const ways = path === undefined ? {} : {path};
	const details = await fc.check(walkOf(kind), {seed, numRuns, endOnFailure: true, ...ways});
	if (details.failed) {
		keepSeed({what: kind, seed, path: details.counterexamplePath ?? ''});
		throw new Error(fc.defaultReportMessage(details), {cause: details.errorInstance});
	}
};

/** Returns the walks that failed before. */
export const keptWalks = (): readonly (Walks & {readonly kind: WalkKind})[] =>
	kinds.flatMap(kind => keptSeeds(kind).map(({seed, path = ''}) => ({seed, path, kind})));

const walkOf = (kind: WalkKind) =>
	fc.asyncProperty(fc.gen(), fc.boolean(), async (generate, semi) => {
		const whim = whimOf(generate);
		const begin: Event = {...sessionStarted(plan(semi)), seq: 1, at: new Date().toISOString()};
		const world = await createFakeWorld([begin], behaviourOf(whim), {tip: 'base'});
		const walk = {world, whim, model: referenceModel()};
		if (kind === 'walks from the approval') {
			await goOn(walk, ({items}) => items.some(item => item.kind === 'approval'));
		}

		whim.calm = false;
		for (let step = 0; step < 120 && !world.state().session?.ended; step++) {
			if (kind === 'walks with clock jumps' && whim.oneIn(10)) {
				jump(whim);
			} else if (kind === 'walks with early merges' && whim.oneIn(10)) {
				await world.ask({kind: 'merge', agents: acceptedAgents(world.state()).map(({id}) => id)});
			}

			await wander(walk);
			expectSound(walk);
		}

		await goOn(walk, ({session}) => session?.ended !== undefined);
		expectSound(walk);
		expectAllKept(walk);
		world.close();
	});

type Walk = {readonly world: FakeWorld; readonly whim: Whim; readonly model: ReferenceModel};

/** Choices of a person who wants to finish. */
const finishing: Readonly<Record<string, readonly string[]>> = {
	plan: ['approve'],
	checkpoint: ['continue'],
	blocker: ['resolved'],
	delegation: ['reject'],
	scope: ['once'],
	review: ['merge'],
	limit: ['complete'],
	failure: ['abandon'],
	verify: ['accept', 'retry'],
	approval: ['approve'],
};

const finishingChoice = ({kind, choices}: InboxItem): string => {
	const offered = choices.filter(({whyNot}) => whyNot === undefined).map(({choice}) => choice);
	const wanted = finishing[kind]?.find(choice => offered.includes(choice));
	return wanted ?? offered.find(choice => choice !== 'snooze') ?? 'any text';
};

/** Makes a decision, and returns whether it was granted. */
const decide = async ({world, model}: Walk, item: InboxItem, choice: string): Promise<boolean> => {
	const id = `AGT-${100 + world.events().length}`;
	const files = [{path: 'a.txt', entry: null}];
	const seen = {tip: world.tip(), files, marked: []};
	const answer = await world.ask({
		kind: 'decide',
		item: item.id,
		choice,
		by: 'user',
		note: 'a note',
		subtask: subtask(id),
		seen,
	});
	if (typeof answer === 'string') {
		return false;
	}

	model.saw(item, choice, answer);
	return true;
};

/** Takes a random step: mostly one that is under way, otherwise by a person, time, another commit, or a crash. */
const wander = async (walk: Walk): Promise<void> => {
	const {world, whim} = walk;
	const steps = world.steps();
	const items = inbox(world.state());
	if (steps.length > 0 && !whim.oneIn(4)) {
		await world.take(whim.among(steps));
	} else if (whim.oneIn(15)) {
		const before = world.state();
		expect(await world.crash(), 'the journal tells what was believed').toEqual(before);
	} else if (whim.oneIn(20)) {
		await world.moveTip(`theirs-${world.events().length}`);
	} else if (whim.oneIn(60)) {
		await world.ask({kind: 'add', subtask: subtask(`AGT-${100 + world.events().length}`)});
	} else if (whim.oneIn(500)) {
		await world.ask({kind: 'stop'});
	} else if (items.length > 0 && !whim.oneIn(4)) {
		const item = whim.among(items);
		const choices = item.choices
			.map(({choice}) => choice)
			.filter(choice => item.kind !== 'plan' || choice === 'approve');
		await decide(walk, item, whim.among([...choices, finishingChoice(item)]));
	} else {
		await ring(world);
	}
};

/** Fires the next timer; even if the clock jumps, no wait is longer than an agent's time limit. */
const ring = async (world: FakeWorld): Promise<boolean> => {
	const longestMs = Math.max(...world.state().agents.map(({timeoutMs}) => timeoutMs));
	const before = performance.now();
	const rang = await world.ring();
	expect(performance.now() - before).toBeLessThan(longestMs + slackMs);
	return rang;
};

/** A correction of the clock by less than this is no jump, in milliseconds. */
const slackMs = 2000;

const hourMs = 3_600_000;

/** Jumps of a clock: a correction by a day, a sleep, an empty battery. */
const jumps: readonly (() => number)[] = [
	() => Date.now() + 24 * hourMs,
	() => Date.now() - 24 * hourMs,
	() => Date.now() + 8 * hourMs,
	() => 0,
	() => Date.parse('2026-11-21T20:00:00Z'),
];

/** Sets the clock; that fires no timer. */
const jump = (whim: Whim): void => {
	vi.setSystemTime(whim.among(jumps)());
};

/** Lets everything succeed until a condition holds; a person decides the first item that can be decided. */
const goOn = async (walk: Walk, isThere: (state: State) => boolean): Promise<void> => {
	const {world, whim} = walk;
	whim.calm = true;
	for (let steps = 0; !isThere(world.state()); steps++) {
		expect(steps, `goes on and on: ${lastOf(world)}`).toBeLessThan(1000);
		const [step] = world.steps();
		if (step) {
			await world.take(step);
		} else if (!(await decideAny(walk)) && !(await world.ring())) {
			expect.unreachable(`nothing can happen any more: ${lastOf(world)}`);
		}
	}
};

const decideAny = async (walk: Walk): Promise<boolean> => {
	for (const item of inbox(walk.world.state())) {
		if (await decide(walk, item, finishingChoice(item))) {
			return true;
		}
	}

	return false;
};

const lastOf = (world: FakeWorld): string =>
	JSON.stringify({state: {...world.state(), passed: []}, last: world.events().slice(-30)}, null, 1);

/** Expects the invariants that hold at every point of a walk. */
const expectSound = ({world, model}: Walk): void => {
	model.read(world.events());
	const {agents, items, session, seq} = world.state();
	expect(seq, 'what is in the journal is believed').toBe(world.events().length);
	const ids = items.map(({id}) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const known = agents.map(({id}) => id);
	expect(new Set(known).size).toBe(known.length);
	if (session?.ended) {
		expect(agents.every(({state}) => state === 'MERGED' || state === 'ABORTED')).toBe(true);
		expect(items).toEqual([]);
	}
};

/** J: expects that another supervisor would read the same state, and that all decisions of a person are there. */
const expectAllKept = ({world, model}: Walk): void => {
	expect(fold(world.events())).toEqual(world.state());
	model.finish(world.events());
};

const plan = (semi: boolean) =>
	planOf(
		[
			subtask('AGT-001', {agent: {protocol: 'text', command: ['agent'], reply: 'stdin'}}),
			subtask('AGT-002'),
			subtask('AGT-003', {after: ['AGT-001'], timeoutMs: 60_000}),
			subtask('AGT-004'),
			subtask('AGT-005', {after: ['AGT-002', 'AGT-003']}),
		],
		{supervision: semi ? 'semi-autonomous' : 'supervised'},
	);
