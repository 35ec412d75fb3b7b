import fc from 'fast-check';
import {expect, vi} from 'vitest';
import type {Body, Event} from '../../src/events/event.ts';
import {Failure} from '../../src/lib/failure.ts';
import type {Effect} from '../../src/rules/effect.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import {acceptedAgents} from '../../src/state/select.ts';
import {
	type Act,
	type Behaviour,
	createFakeWorld,
	type FakeWorld,
	type Seen,
} from './fake-world.ts';
import {hear, report} from './given.ts';
import {planOf, sessionStarted, subtask} from './plan.ts';
import {quietOutcome} from './quiet-outcome.ts';
import {published} from './recorded-world.ts';
import {words} from './words.ts';

/** Which walks are gone: as many as `numRuns` from a seed, or the one that fast-check named by seed and path. */
export type Walks = {
	readonly seed: number;
	readonly numRuns?: number;
	readonly path?: string;
	/** Whether the clock jumps at times, back and forth. */
	readonly clockJumps?: boolean;
};

/**
Walks a session of five agents at random, with a fake world and a fake clock, and then lets a person bring it to its end.

Fails where an invariant breaks on the way, where nothing can happen any more before the end, or where the end does not come. What failed is not shrunk: a walk that is shorter fails no more clearly, and finding it takes minutes.
*/
export const expectWalks = ({seed, numRuns = 1, path, clockJumps = false}: Walks): Promise<void> =>
	fc.assert(
		fc.asyncProperty(fc.gen(), fc.boolean(), async (generate, semi) => {
			const whim = whimOf(generate);
			const begin: Event = {...sessionStarted(plan(semi)), seq: 1, at: new Date().toISOString()};
			const world = await createFakeWorld([begin], behaviourOf(whim), {tip: 'base'});
			for (let step = 0; step < 120 && !world.state().session?.ended; step++) {
				if (clockJumps && whim.oneIn(10)) {
					jump(whim);
				}

				await wander(world, whim);
				expectSound(world);
			}

			whim.calm = true;
			if (clockJumps) {
				setRight(world);
			}

			await finish(world);
			expectSound(world);
			world.close();
		}),
		{seed, numRuns, endOnFailure: true, ...(path === undefined ? {} : {path})},
	);

const whimOf = (generate: fc.GeneratorValue): Whim => ({
	oneIn: count => generate(fc.nat, {max: count - 1}) === 0,
	among: choices => {
		const chosen = choices[generate(fc.nat, {max: choices.length - 1})];
		if (chosen === undefined) {
			throw new Error('There is nothing to choose among.');
		}

		return chosen;
	},
	calm: false,
});

/** Draws the world's and the person's whims; once it is calm, all goes well. */
type Whim = {
	readonly oneIn: (count: number) => boolean;
	readonly among: <T extends object | string>(choices: readonly T[]) => T;
	calm: boolean;
};

const done: readonly Act[] = [
	...hear(report('success')).map((signal): Act => ({does: 'say', signal})),
	{does: 'end', end: {by: 'exit', code: 0}},
];

const ends: readonly Act[] = [
	{does: 'end', end: {by: 'exit', code: 0}},
	{does: 'end', end: {by: 'exit', code: 0}},
	{does: 'end', end: {by: 'exit', code: 1}},
	{does: 'end', end: {by: 'signal', signal: 'SIGSEGV'}},
	{does: 'end', end: {by: 'stopped'}},
];

const behaviourOf = (whim: Whim): Behaviour => ({
	acts: () => {
		failAtTimes(whim);
		if (whim.calm || whim.oneIn(2)) {
			return done;
		}

		const said = [0, 1, 2].flatMap((): Act[] =>
			whim.oneIn(2) ? [{does: 'say', signal: whim.among(words)}] : [],
		);
		return [...said, ...(whim.oneIn(3) ? [{does: 'listen'} as const] : []), whim.among(ends)];
	},
	outcome: (effect, seen) => {
		failAtTimes(whim);
		switch (effect.do) {
			case 'build':
				return built(whim, seen);
			case 'verify':
				return [checked(effect, whim.calm || !whim.oneIn(3))];
			case 'publish':
				return !whim.calm && whim.oneIn(3) ? [refused(effect)] : published(effect, seen);
			default:
				return quietOutcome(seen.state, effect);
		}
	},
});

const failAtTimes = (whim: Whim): void => {
	if (!whim.calm && whim.oneIn(4)) {
		throw new Failure(whim.oneIn(4) ? 'refused' : 'internal', 'The disk is full.');
	}
};

const built = (whim: Whim, {state, events}: Seen): readonly Body[] => {
	const accepted = acceptedAgents(state).map(({id}) => id);
	const open = state.items.filter(({kind}) => kind === 'conflict');
	const gone = open.map(({id}): Body => ({kind: 'conflict.gone', conflict: id}));
	const [one, other = 'target'] = accepted;
	if (!whim.calm && one !== undefined && whim.oneIn(2)) {
		const sides = other === 'target' ? {a: [other], b: [one]} : {a: [one], b: [other]};
		const stages = {base: null, a: null, b: null};
		const paths = whim.oneIn(2) ? ['a.txt'] : ['a.txt', 'b.txt'];
		return [
			...gone,
			...paths.map(
				(path): Body => ({
					kind: 'conflict.found',
					path,
					...sides,
					type: 'FILE_CONFLICT',
					summary: 'both',
					stages,
				}),
			),
			{kind: 'merge.blocked', conflicts: []},
		];
	}

	const commit = `result-${events.length}`;
	const tip = state.session?.tip ?? '';
	return [...gone, {kind: 'merge.built', commit, tree: commit, tip, agents: accepted, files: 1}];
};

const checked = ({commit, tree}: Extract<Effect, {do: 'verify'}>, ok: boolean): Body => ({
	kind: 'verify.ended',
	commit,
	tree,
	ok,
	commands: [{command: 'npm test', code: ok ? 0 : 1}],
	log: null,
});

const refused = ({commit}: Extract<Effect, {do: 'publish'}>): Body => ({
	kind: 'merge.refused',
	commit,
	cause: 'dirty',
	message: 'a.txt is edited.',
	hint: 'commit it',
});

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

const decide = (world: FakeWorld, item: InboxItem, choice: string) => {
	const id = `AGT-${100 + world.events().length}`;
	const files = [{path: 'a.txt', entry: null}];
	const seen = {tip: world.tip(), files, marked: []};
	return world.ask({
		kind: 'decide',
		item: item.id,
		choice,
		by: 'user',
		note: 'a note',
		subtask: subtask(id),
		seen,
	});
};

/** One thing at random: mostly what is under way, else a person, time, another commit, a crash. */
const wander = async (world: FakeWorld, whim: Whim): Promise<void> => {
	const steps = world.steps();
	const items = inbox(world.state());
	if (steps.length > 0 && !whim.oneIn(4)) {
		await world.take(whim.among(steps));
	} else if (whim.oneIn(15)) {
		await world.crash();
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
		await decide(world, item, whim.among([...choices, finishingChoice(item)]));
	} else {
		await world.ring();
	}
};

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

/** Puts the clock right: what is due by the clock comes only with its time, and none has gone further than this. */
const setRight = (world: FakeWorld): void => {
	vi.setSystemTime(Math.max(...world.events().map(({at}) => Date.parse(at))));
};

/** Lets everything come to its end; a person decides what stands first that can be decided. */
const finish = async (world: FakeWorld): Promise<void> => {
	for (let steps = 0; !world.state().session?.ended; steps++) {
		expect(steps, `goes on and on: ${lastOf(world)}`).toBeLessThan(1000);
		const [step] = world.steps();
		if (step) {
			await world.take(step);
		} else if (!(await decideAny(world)) && !(await world.ring())) {
			expect.unreachable(`nothing can happen any more: ${lastOf(world)}`);
		}
	}
};

const decideAny = async (world: FakeWorld): Promise<boolean> => {
	for (const item of inbox(world.state())) {
		if ((await decide(world, item, finishingChoice(item))) === undefined) {
			return true;
		}
	}

	return false;
};

const lastOf = (world: FakeWorld): string =>
	JSON.stringify({state: {...world.state(), passed: []}, last: world.events().slice(-30)}, null, 1);

/** What must hold wherever a walk has come. */
const expectSound = (world: FakeWorld): void => {
	const {agents, items, session} = world.state();
	const ids = items.map(({id}) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const known = agents.map(({id}) => id);
	expect(new Set(known).size).toBe(known.length);
	if (session?.ended) {
		expect(agents.every(({state}) => state === 'MERGED' || state === 'ABORTED')).toBe(true);
		expect(items).toEqual([]);
	}
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
