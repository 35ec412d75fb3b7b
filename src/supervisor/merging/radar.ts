import {compare} from '../../conflicts/compare.ts';
import type {Finding} from '../../conflicts/finding.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import type {Store} from '../../git/store.ts';
import {pairsToCompare, type WorkPair} from '../../rules/collisions.ts';
import {isPair} from '../../state/compared.ts';
import type {State} from '../../state/state.ts';

export type RadarParts = {
	readonly store: Store;
	readonly state: () => State;
	readonly tell: (bodies: readonly Body[]) => Promise<void>;
	/** Told once of each comparison that could not be made. */
	readonly onTrouble: (error: unknown) => void;
};

/** What looks for collisions while agents are at work. */
export type Radar = {
	/** Compares what is new; nobody waits for it. */
	readonly look: () => void;
	/** Settles when nothing is compared any more. */
	readonly close: () => Promise<void>;
};

/**
Compares the pinned work of agents with each other's and with the target, one pair at a time, and tells only what changed.

What was compared is remembered here and in no event: a supervisor that comes after a crash compares once more, finds the same, and has nothing to tell. A comparison whose commits are old by now is given up.
*/
export const createRadar = ({store, state, tell, onTrouble}: RadarParts): Radar => {
	const done = new Map<string, string>();
	let closed = false;
	let running: {readonly pair: WorkPair; readonly abort: AbortController} | undefined;
	let idle: Promise<void> = Promise.resolve();

	const next = (): WorkPair | undefined =>
		state().disk?.level === 'full'
			? undefined
			: pairsToCompare(state()).find(pair => done.get(nameOf(pair)) !== commitsOf(pair));

	const work = async (): Promise<void> => {
		for (let pair = next(); pair !== undefined && !closed; pair = next()) {
			const abort = new AbortController();
			running = {pair, abort};
			try {
				const {findings} = await compare(store, pair.commits, {signal: abort.signal});
				abort.signal.throwIfAborted();
				const found = comparedEvent(pair, findings);
				if (isNews(state(), found)) {
					await tell([found]);
				}
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
				idle = work();
			} else if (!pairsToCompare(state()).some(isSame(running.pair))) {
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

const nameOf = ({a, b}: WorkPair): string => `${a} ${b}`;

const commitsOf = ({commits: {a, b, base = ''}}: WorkPair): string => `${a} ${b} ${base}`;

const isSame =
	(one: WorkPair) =>
	(other: WorkPair): boolean =>
		isPair(one, other) && commitsOf(one) === commitsOf(other);

/** More findings of a pair than these are only counted: a journal is to be read. */
const mostFindings = 20;

/** More places of a finding than these are left out. */
const mostEvidence = 6;

/** Notes are not told: both may go on. */
const comparedEvent = ({a, b}: WorkPair, findings: readonly Finding[]): BodyOf<'work.compared'> => {
	const blocking = findings.filter(finding => finding.blocking);
	const kept = blocking.slice(0, mostFindings);
	return {
		kind: 'work.compared',
		a,
		b,
		findings: kept.map(finding => ({...finding, evidence: bothSides(finding)})),
		more: blocking.length - kept.length,
	};
};

const bothSides = ({evidence}: Finding): Finding['evidence'] => {
	const [a, b] = (['a', 'b'] as const).map(side => evidence.filter(one => one.side === side));
	return [...(a ?? []).slice(0, mostEvidence / 2), ...(b ?? []).slice(0, mostEvidence / 2)];
};

/** A line that moved is no news; another line, another file or another rule is. */
const isNews = ({compared}: State, found: BodyOf<'work.compared'>): boolean => {
	const before = compared.find(pair => isPair(pair, found));
	const text = (pair: Pick<BodyOf<'work.compared'>, 'findings' | 'more'> | undefined): string =>
		JSON.stringify([
			pair?.more ?? 0,
			...(pair?.findings ?? []).map(({key, evidence}) => [
				key,
				...evidence.map(({side, path, text}) => [side, path, text]),
			]),
		]);
	return text(before) !== text(found);
};
