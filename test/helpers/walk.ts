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

/** Which walks are gone: as many as `numRuns` from a seed, or the one that fast-check named by seed and path. */
export type Walks = {
	readonly seed: number;
	readonly numRuns?: number;
	readonly path?: string;
	readonly kind?: WalkKind;
};

/** From the start of a session, the same with a clock that jumps back and forth or with a person who often has accepted work merged early, or from the moment at which a result waits for approval. */
export type WalkKind = (typeof kinds)[number];

const kinds = [
	'walks',
	'walks with clock jumps',
	'walks with early merges',
	'walks from the approval',
] as const;

/**
Walks a session of five agents at random, with a fake world and a fake clock, and then lets a person bring it to its end.

Fails where a promise or an invariant breaks on the way, where nothing can happen any more before the end, or where the end does not come. What failed is not shrunk: a walk that is shorter fails no more clearly, and finding it takes minutes.
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

/** Returns the walks that failed once. */
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

/** What a person takes who wants to be done. */
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

/** Returns whether it was granted. */
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

/** One thing at random: mostly what is under way, else a person, time, another commit, a crash. */
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

/** Lets the next timer ring; however the clock jumps, nothing waits longer than an agent may work, but for what is no jump. */
const ring = async (world: FakeWorld): Promise<boolean> => {
	const longestMs = Math.max(...world.state().agents.map(({timeoutMs}) => timeoutMs));
	const before = performance.now();
	const rang = await world.ring();
	expect(performance.now() - before).toBeLessThan(longestMs + slackMs);
	return rang;
};

/** A clock that is set right by less than this has not jumped, in milliseconds. */
const slackMs = 2000;

const hourMs = 3_600_000;

/** What happens to clocks: they are set right by a day, a machine sleeps, a battery is empty. */
const jumps: readonly (() => number)[] = [
	() => Date.now() + 24 * hourMs,
	() => Date.now() - 24 * hourMs,
	() => Date.now() + 8 * hourMs,
	() => 0,
	() => Date.parse('2026-11-21T20:00:00Z'),
];

/** No timer rings by it; that the clock goes on from elsewhere is all that happens. */
const jump = (whim: Whim): void => {
	vi.setSystemTime(whim.among(jumps)());
};

/** Lets all go well until something is so; a person decides what stands first that can be decided. */
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

/** What must hold wherever a walk has come. */
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

/** J: another supervisor would read what this one believes, and everything that a person decided is there. */
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
