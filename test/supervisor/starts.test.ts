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

	/** Ends the pauses that there are now. */
	const look = async (): Promise<void> => {
		await setImmediate();
		for (const {resolve} of pauses.splice(0)) {
			resolve();
		}

		await setImmediate();
	};

	return {
		starts,
		passAll,
		look,
		now: () => nowMs,
		pass: (durationMs: number) => (nowMs += durationMs),
	};
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

	describe('with a login', () => {
		/** Begins starts with a login that ends until it is renewed, and tells which of them were made. */
		const begin = (file: string, names: readonly string[]) => {
			const made = makeStarts();
			const login: {ends: readonly number[]} = {ends: [1]};
			const begun: string[] = [];
			const left = new Map<string, (hasAnswered: boolean) => void>();
			const start = async (name: string): Promise<void> => {
				left.set(name, await made.starts.withLogin({file, endings: async () => login.ends}));
				begun.push(name);
			};
			return {...made, login, begun, left, start, asked: Promise.all(names.map(start))};
		};

		it('that is about to be renewed are made one after the other, until it is', async () => {
			const {begun, left, login, look, asked} = begin('auth.json', ['a', 'b', 'c', 'd']);
			await look();
			expect(begun).toEqual(['a']);
			left.get('a')?.(false);
			await look();
			expect(begun).toEqual(['a', 'b']);
			login.ends = [];
			await look();
			expect(begun).toEqual(['a', 'b', 'c', 'd']);
			await asked;
		});

		it('that stays as it was although a model has answered wait no more for its end, and for another end they do', async () => {
			const {begun, left, login, start, look, asked} = begin('auth.json', ['a', 'b', 'c']);
			await look();
			left.get('a')?.(true);
			await look();
			expect(begun).toEqual(['a', 'b', 'c']);
			login.ends = [1, 2];
			const later = Promise.all([start('d'), start('e')]);
			await look();
			expect(begun).toEqual(['a', 'b', 'c', 'd']);
			left.get('d')?.(true);
			await look();
			expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
			await Promise.all([asked, later]);
		});

		it('wait for one that is stuck only so long, and not for one of another login', async () => {
			const {starts, begun, look, pass, asked} = begin('auth.json', ['a', 'b']);
			await starts.withLogin({file: 'other.json', endings: async () => [1]});
			await look();
			pass(120_000);
			await look();
			await asked;
			expect(begun).toEqual(['a', 'b']);
		});

		it('are not made any more once the supervisor stops', async () => {
			const {starts, begun, look, asked} = begin('auth.json', ['a', 'b']);
			await look();
			starts.close();
			await Promise.all([expect(asked).rejects.toMatchObject({kind: 'refused'}), look()]);
			expect(begun).toEqual(['a']);
		});
	});

	describe('their setups', () => {
		/** Begins setups that end when they are told to, and tells which of them run. */
		const begin = (names: readonly string[]) => {
			const {starts} = makeStarts();
			const running: string[] = [];
			const told: string[] = [];
			const ends = new Map(names.map(name => [name, Promise.withResolvers<void>()]));
			const run = async (name: string) => {
				running.push(name);
				await ends.get(name)?.promise.finally(() => running.splice(running.indexOf(name), 1));
			};
			const asked = names.map(name =>
				starts.setUp({
					agent: name,
					onStep: text => told.push(`${name}: ${text}`),
					first: async () => {
						await run(name);
						return undefined;
					},
					next: () => run(name),
				}),
			);
			return {starts, running, told, ends, asked: Promise.allSettled(asked)};
		};

		it('run together once the first one has succeeded', async () => {
			const {running, told, ends, asked} = begin(['a', 'b', 'c']);
			await setImmediate();
			expect(running).toEqual(['a']);
			expect(told).toEqual([
				'b: waiting for the setup of a, so that nothing is downloaded twice',
				'c: waiting for the setup of a, so that nothing is downloaded twice',
				'a: its setup is running',
			]);
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
