import type {WorkPair} from '../../rules/collisions.ts';
import {isPair} from '../../state/agent/compared.ts';

export type PairByPairParts = {
	/** Returns the pairs that are wanted now. */
	readonly pairs: () => readonly WorkPair[];
	readonly work: (pair: WorkPair, signal: AbortSignal) => Promise<void>;
	/** Told once of each pair that could not be worked on. */
	readonly onTrouble: (error: unknown) => void;
};

export type PairByPair = {
	/** Sees what is wanted by now; nobody waits for it. */
	readonly look: () => void;
	/** Gives up what is under way, and settles when nothing is. */
	readonly close: () => Promise<void>;
};

/** Works on one pair at a time, on each once for the same commits, and gives one up that is no longer wanted. */
export const pairByPair = ({pairs, work, onTrouble}: PairByPairParts): PairByPair => {
	const done = new Map<string, string>();
	let closed = false;
	let running: {readonly pair: WorkPair; readonly abort: AbortController} | undefined;
	let idle: Promise<void> = Promise.resolve();

	const next = (): WorkPair | undefined =>
		closed ? undefined : pairs().find(pair => done.get(nameOf(pair)) !== commitsOf(pair));

	const workOnAll = async (): Promise<void> => {
		for (let pair = next(); pair !== undefined; pair = next()) {
			const abort = new AbortController();
			running = {pair, abort};
			try {
				await work(pair, abort.signal);
			} catch (error) {
				if (!abort.signal.aborted) {
					onTrouble(error);
				}
			}

			if (!abort.signal.aborted) {
				done.set(nameOf(pair), commitsOf(pair));
			}
		}

		running = undefined;
	};

	return {
		look: () => {
			if (closed) {
				return;
			}

			if (running === undefined) {
				idle = workOnAll();
			} else if (!pairs().some(isSame(running.pair))) {
				running.abort.abort();
			}
		},
		close: async () => {
			closed = true;
			running?.abort.abort();
			await idle;
		},
	};
};

/** Returns what a pair is called, whatever its sides stand on. */
export const nameOf = ({a, b}: WorkPair): string => `${a} ${b}`;

/** Returns whether another pair has the same sides with the same commits. */
export const isSame =
	(one: WorkPair) =>
	(other: WorkPair): boolean =>
		isPair(one, other) && commitsOf(one) === commitsOf(other);

const commitsOf = ({commits: {a, b, base = ''}}: WorkPair): string => `${a} ${b} ${base}`;
