import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {Body, Event} from '../../src/events/event.ts';
import {Failure} from '../../src/lib/failure.ts';
import type {Decision} from '../../src/rules/commands/command.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import {createLoop, type LoopParts} from '../../src/supervisor/loop.ts';
import {accepted, planned, working} from '../helpers/given.ts';
import {keyText, someDeadline} from '../helpers/key-text.ts';
import {quietOutcome, turnStarted} from '../helpers/quiet-outcome.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']});
	vi.setSystemTime(new Date('2026-01-01T01:00:00.000Z'));
});

afterEach(() => {
	vi.useRealTimers();
});

const approve: Decision<'plan'> = {
	kind: 'decide',
	on: 'plan',
	item: 'p-1',
	choice: {verb: 'approve'},
	by: 'user',
};

/** Lets everything that is ready to run do so. */
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A loop whose writes and effects end when the test says so. */
const makeLoop = (past: readonly Event[], parts: Partial<LoopParts> = {}) => {
	const written: Event[] = [...past];
	const batches: (readonly Event[])[] = [];
	const performed: {effect: Effect; state: State; end: PromiseWithResolvers<readonly Body[]>}[] =
		[];
	const broken: Failure[] = [];
	const loop = createLoop({
		state: fold(past),
		append: async bodies => {
			const events = bodies.map((body, index) => ({...body, seq: written.length + index + 1}));
			written.push(...events);
			batches.push(events);
			return events;
		},
		perform: (effect, state) => {
			const end = Promise.withResolvers<readonly Body[]>();
			performed.push({effect, state, end});
			return end.promise;
		},
		now: () => new Date().toISOString(),
		onBroken: failure => {
			broken.push(failure);
		},
		...parts,
	});
	return {
		loop,
		written,
		batches,
		performed,
		broken,
		keys: () => performed.map(p => keyText(p.effect.key)),
	};
};

describe('the loop writes, then believes, then acts', () => {
	it('believes and does nothing before it is written', async () => {
		const disk = Promise.withResolvers<void>();
		const {events: past} = planned(['AGT-001']);
		const events: Event[] = [];
		const {loop, performed} = makeLoop(past(), {
			append: async bodies => {
				await disk.promise;
				events.push(...bodies.map((body, index) => ({...body, seq: 2 + index})));
				return events;
			},
		});
		const asked = loop.ask(approve);
		await settled();
		expect(loop.state().session?.approved).toBe(false);
		expect(performed).toEqual([]);
		disk.resolve();
		expect(await asked).toMatchObject({kind: 'user.decided', choice: 'approve', seq: 2});
		expect(loop.state().session?.approved).toBe(true);
		expect(performed).toMatchObject([{effect: {key: {do: 'prepare', agent: 'AGT-001'}}}]);
		expect(agentOf(performed[0]?.state ?? loop.state(), 'AGT-001')?.state).toBe('SPAWNING');
	});

	it('writes what follows from an event together with it', async () => {
		const {loop, batches} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		expect(batches.map(batch => batch.map(({kind}) => kind))).toEqual([
			['user.decided', 'agent.moved'],
		]);
	});

	it('writes what comes while it writes in one go, in the order in which it came', async () => {
		const {loop, batches} = makeLoop(working(['AGT-001']).events());
		const deadlines = [1, 2, 3].map(someDeadline);
		await Promise.all(
			deadlines.map(deadline => loop.append([{kind: 'deadline.passed', deadline}])),
		);
		expect(batches.map(batch => batch.length)).toEqual([1, 2]);
		expect(loop.state().passed).toEqual(deadlines);
	});

	it('tells whoever follows each batch with the state it led to', async () => {
		const seen: [number, readonly string[]][] = [];
		const {loop} = makeLoop(planned(['AGT-001']).events(), {
			onChange: (state, events) => seen.push([state.seq, events.map(({kind}) => kind)]),
		});
		await loop.ask(approve);
		expect(seen).toEqual([[3, ['user.decided', 'agent.moved']]]);
	});
});

describe('a command', () => {
	it('that can’t be granted fails with the reason, and nothing is written', async () => {
		const {loop, batches} = makeLoop(planned(['AGT-001']).events());
		const failure = await loop.ask({...approve, item: 'p-2'}).catch(error => error);
		expect(failure).toBeInstanceOf(Failure);
		expect(failure).toMatchObject({kind: 'refused', message: expect.stringMatching(/^No item/)});
		expect(batches).toEqual([]);
	});

	it('is judged by the state that those before it lead to', async () => {
		const {loop, written} = makeLoop(planned(['AGT-001']).events());
		const answers = await Promise.allSettled([loop.ask(approve), loop.ask(approve)]);
		expect(answers.map(({status}) => status)).toEqual(['fulfilled', 'rejected']);
		expect(written.filter(({kind}) => kind === 'user.decided')).toHaveLength(1);
	});

	it('of which no event is given back was not granted', async () => {
		const {loop} = makeLoop(planned(['AGT-001']).events(), {append: async () => []});
		await expect(loop.ask(approve)).rejects.toMatchObject({
			kind: 'internal',
			message: 'A granted command has no event.',
		});
		expect(loop.state().session?.approved).toBe(false);
	});

	it('that is refused takes nothing of its neighbours with it', async () => {
		const {loop} = makeLoop(planned(['AGT-001']).events());
		const other = loop.append([{kind: 'deadline.passed', deadline: someDeadline(1)}]);
		const refused = loop.ask({...approve, item: 'p-2'}).catch(() => 'refused');
		const granted = loop.ask(approve);
		await other;
		expect(await refused).toBe('refused');
		expect(await granted).toMatchObject({kind: 'user.decided', item: 'p-1'});
	});
});

describe('an effect', () => {
	it('that is under way is not done a second time', async () => {
		const {loop, keys} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		void loop.append([]);
		await loop.append([{kind: 'deadline.passed', deadline: someDeadline(1)}]);
		expect(keys()).toEqual(['prepare:AGT-001']);
	});

	it('is done on waking, whatever the last event was', async () => {
		const session = planned(['AGT-001']);
		session.decide('p-1', 'approve');
		const {loop, keys} = makeLoop(session.events());
		void loop.append([]);
		await settled();
		expect(keys()).toEqual(['prepare:AGT-001']);
	});

	it('leads to the next one by what came of it', async () => {
		const {loop, performed, keys} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		const [prepare] = performed;
		prepare?.end.resolve(quietOutcome(loop.state(), prepare.effect));
		await settled();
		expect(keys()).toEqual(['prepare:AGT-001', 'start:AGT-001:1']);
		const start = performed[1]?.effect;
		if (start?.do !== 'start') {
			return expect.unreachable('a start was expected');
		}

		// A start tells of its turn itself, so that no signal comes before.
		await loop.append([turnStarted(loop.state(), start)]);
		performed[1]?.end.resolve([]);
		await settled();
		expect(agentOf(loop.state(), 'AGT-001')?.state).toBe('RUNNING');
		expect(keys()).toHaveLength(2);
	});

	it('that fails is counted, waits and is tried three times in all', async () => {
		const {loop, performed, written} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		const times: string[] = [];
		for (let tries = 0; tries < 3; tries++) {
			times.push(new Date().toISOString().slice(14, 19));
			performed[tries]?.end.reject(new Error('the disk is full'));
			await settled();
			if (vi.getTimerCount() > 0) {
				await vi.advanceTimersToNextTimerAsync();
				await settled();
			}
		}

		expect(times).toEqual(['00:00', '00:01', '00:03']);
		expect(performed).toHaveLength(3);
		expect(written.filter(({kind}) => kind === 'effect.failed')).toMatchObject([
			{effect: {do: 'prepare', agent: 'AGT-001'}, message: 'the disk is full', final: false},
			{},
			{},
		]);
		expect(agentOf(loop.state(), 'AGT-001')?.state).toBe('FAILED');
		expect(vi.getTimerCount()).toBe(0);
	});

	it('that fails for a reason that stays is not tried again', async () => {
		const {loop, performed, written} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		performed[0]?.end.reject(new Failure('missing', 'No such program.', {hint: 'install it'}));
		await settled();
		expect(written.find(({kind}) => kind === 'effect.failed')).toMatchObject({
			message: 'No such program.',
			hint: 'install it',
			final: true,
		});
		expect(performed).toHaveLength(1);
	});

	it('that put together what is no longer the accepted work is no news', async () => {
		const {loop, performed, written} = makeLoop(accepted(['AGT-001']).events());
		void loop.append([]);
		await settled();
		expect(performed).toMatchObject([{effect: {key: {do: 'build', tip: 'base'}}}]);
		await loop.append([{kind: 'target.moved', from: 'base', to: 'theirs'}]);
		performed[0]?.end.resolve([{kind: 'merge.blocked', conflicts: []}]);
		await settled();
		expect(written.at(-1)).toMatchObject({kind: 'target.moved'});
		expect(performed.at(-1)).toMatchObject({effect: {key: {do: 'build', tip: 'theirs'}}});
		performed.at(-1)?.end.resolve([{kind: 'merge.blocked', conflicts: []}]);
		await settled();
		expect(loop.state().merge).toEqual({phase: 'blocked', agents: ['AGT-001']});
	});

	it('of which nothing comes does not spin', async () => {
		let count = 0;
		const {loop, written} = makeLoop(planned(['AGT-001']).events(), {
			perform: async () => {
				count++;
				return [];
			},
		});
		await loop.ask(approve);
		await settled();
		expect(count).toBe(1);
		expect(written.at(-1)).toMatchObject({
			kind: 'effect.failed',
			message: 'It ended without a result.',
		});
	});
});

describe('a deadline', () => {
	it('becomes an event when it passes, and arms one timer', async () => {
		const {loop, written} = makeLoop(working(['AGT-001', 'AGT-002']).events());
		void loop.append([]);
		await settled();
		expect(vi.getTimerCount()).toBe(1);
		await vi.advanceTimersToNextTimerAsync();
		await settled();
		expect(written.find(({kind}) => kind === 'deadline.passed')).toMatchObject({
			deadline: {of: 'near-limit', agent: expect.stringMatching(/^AGT-00/)},
		});
		expect(loop.state().items.map(({kind}) => kind)).toContain('limit');
	});

	it('that is further off than a timer can wait is looked at again then', async () => {
		const year = 366 * 24 * 3_600_000;
		const session = planned(['AGT-001']);
		const [start] = session.events();
		if (start?.kind !== 'session.started') {
			return expect.unreachable('a session was expected');
		}

		const agents = start.plan.agents.map(subtask => ({...subtask, timeoutMs: year}));
		const begin = {...start, plan: {...start.plan, agents}};
		const {loop, performed} = makeLoop([begin]);
		await loop.ask(approve);
		performed[0]?.end.resolve(
			quietOutcome(loop.state(), {
				key: {do: 'prepare', agent: 'AGT-001'},
				do: 'prepare',
				agent: 'AGT-001',
			}),
		);
		await settled();
		const started = performed[1]?.effect;
		if (started?.do !== 'start') {
			return expect.unreachable('a start was expected');
		}

		await loop.append([turnStarted(loop.state(), started)]);
		const before = loop.state().seq;
		await vi.advanceTimersToNextTimerAsync();
		await settled();
		expect(loop.state().seq).toBe(before);
		expect(vi.getTimerCount()).toBe(1);
	});
});

describe('the end of a loop', () => {
	it('comes when an event can’t be written: nothing is believed or done after that', async () => {
		const {loop, performed, broken} = makeLoop(planned(['AGT-001']).events(), {
			append: async () => {
				throw new Failure('internal', 'The disk is full.');
			},
		});
		const answers = await Promise.allSettled([
			loop.ask(approve),
			loop.append([{kind: 'deadline.passed', deadline: someDeadline(1)}]),
		]);
		expect(answers.map(({status}) => status)).toEqual(['rejected', 'rejected']);
		expect(broken.map(({message}) => message)).toEqual(['The disk is full.']);
		expect(loop.state().session?.approved).toBe(false);
		expect(performed).toEqual([]);
		await expect(loop.append([])).rejects.toThrow('The supervisor is stopping.');
	});

	it('comes when it is closed: what an effect comes to then is not written, and leads to nothing', async () => {
		const {loop, performed, batches} = makeLoop(planned(['AGT-001']).events());
		await loop.ask(approve);
		const [prepare] = performed;
		loop.close();
		prepare?.end.resolve(prepare === undefined ? [] : quietOutcome(loop.state(), prepare.effect));
		await settled();
		expect(batches).toHaveLength(1);
		expect(performed).toHaveLength(1);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('comes when it is closed: no timer, no effect, no word', async () => {
		const {loop, keys} = makeLoop(working(['AGT-001']).events());
		void loop.append([]);
		await settled();
		loop.close();
		expect(vi.getTimerCount()).toBe(0);
		await expect(loop.ask({kind: 'stop'})).rejects.toThrow('The supervisor is stopping.');
		expect(keys()).toEqual([]);
	});
});
