import {setImmediate} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {createStarts} from '../../src/supervisor/budgets.ts';

/** A queue in a time that passes only by its own pauses. */
const makeStarts = (chances: readonly number[] = []) => {
	let nowMs = 1000;
	let drawn = 0;
	const pauses: {at: number; resolve: () => void}[] = [];
	const starts = createStarts({
		now: () => nowMs,
		random: () => chances[drawn++] ?? 0,
		pause: durationMs =>
			new Promise(resolve => {
				pauses.push({at: nowMs + durationMs, resolve});
			}),
	});
	/** Lets the time pass until nobody waits any more. */
	const passAll = async (): Promise<void> => {
		await setImmediate();
		for (let next = pauses.shift(); next; next = pauses.shift()) {
			nowMs = next.at;
			next.resolve();
			await setImmediate();
		}
	};

	return {starts, passAll, now: () => nowMs, pass: (durationMs: number) => (nowMs += durationMs)};
};

/** Asks for turns, and returns when each was given, in the order of giving. */
const ask = async (
	{starts, passAll, now}: ReturnType<typeof makeStarts>,
	names: readonly string[],
	staggerMs?: number,
): Promise<readonly (readonly [string, number])[]> => {
	const given: [string, number][] = [];
	const asked = names.map(async name => {
		await starts.turn(staggerMs);
		given.push([name, now()]);
	});
	await passAll();
	await Promise.all(asked);
	return given;
};

describe('starts', () => {
	it('begin after half a second, and follow each other by chance, in the order in which they were asked for', async () => {
		const made = makeStarts([0, 0.5, 0.999]);
		expect(await ask(made, ['a', 'b', 'c', 'd'])).toEqual([
			['a', 1550],
			['b', 1850],
			['c', expect.closeTo(2399.5)],
			['d', expect.closeTo(2449.5)],
		]);
	});

	it('do not wait when the last one is long ago', async () => {
		const made = makeStarts();
		await ask(made, ['a']);
		made.pass(600);
		expect(await ask(made, ['b', 'c'])).toEqual([
			['b', 2150],
			['c', 2200],
		]);
	});

	it('lie as far apart as a person wants, and by chance farther', async () => {
		const made = makeStarts([0, 0.5]);
		expect(await ask(made, ['a', 'b', 'c'], 2000)).toEqual([
			['a', 1550],
			['b', 3850],
			['c', 5900],
		]);
	});

	it('do not wait at all where nothing is to lie between them', async () => {
		expect(await ask(makeStarts([1, 1]), ['a', 'b', 'c'], 0)).toEqual([
			['a', 1000],
			['b', 1000],
			['c', 1000],
		]);
	});

	it('are not made any more once the supervisor stops', async () => {
		const {starts, passAll} = makeStarts();
		await starts.turn(0);
		const second = starts.turn();
		starts.close();
		await Promise.all([
			expect(second).rejects.toMatchObject({kind: 'refused'}),
			expect(starts.turn(0)).rejects.toMatchObject({message: 'The supervisor is stopping.'}),
			passAll(),
		]);
	});

	describe('their setups', () => {
		/** Begins setups that end when they are told to, and tells which of them run. */
		const begin = (names: readonly string[]) => {
			const {starts} = makeStarts();
			const running: string[] = [];
			const ends = new Map(names.map(name => [name, Promise.withResolvers<void>()]));
			const asked = names.map(name =>
				starts.setUp(async () => {
					running.push(name);
					await ends.get(name)?.promise.finally(() => running.splice(running.indexOf(name), 1));
				}),
			);
			return {starts, running, ends, asked: Promise.allSettled(asked)};
		};

		it('run together once the first one has succeeded', async () => {
			const {running, ends, asked} = begin(['a', 'b', 'c']);
			await setImmediate();
			expect(running).toEqual(['a']);
			ends.get('a')?.resolve();
			await setImmediate();
			expect(running).toEqual(['b', 'c']);
			ends.get('b')?.resolve();
			ends.get('c')?.resolve();
			await asked;
		});

		it('run alone until one has succeeded', async () => {
			const {running, ends, asked} = begin(['a', 'b', 'c']);
			ends.get('a')?.reject(new Error('no network'));
			await setImmediate();
			expect(running).toEqual(['b']);
			ends.get('b')?.resolve();
			ends.get('c')?.resolve();
			expect((await asked).map(({status}) => status)).toEqual([
				...['rejected', 'fulfilled', 'fulfilled'],
			]);
		});

		it('begin no more once the supervisor stops', async () => {
			const {starts, running, ends, asked} = begin(['a', 'b']);
			await setImmediate();
			starts.close();
			ends.get('a')?.resolve();
			expect(await asked).toMatchObject([{status: 'fulfilled'}, {status: 'rejected'}]);
			expect(running).toEqual([]);
		});
	});
});
