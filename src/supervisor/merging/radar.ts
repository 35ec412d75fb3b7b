import {type Compared, compare, confirmedBy, withSide} from '../../conflicts/compare.ts';
import type {Finding} from '../../conflicts/finding.ts';
import type {Oracles} from '../../conflicts/oracle/open-oracles.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import {type UnreadFile, unreadByReason} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {defined} from '../../lib/values.ts';
import {pairsToCompare, type WorkPair} from '../../rules/collisions.ts';
import {isPair} from '../../state/agent/compared.ts';
import type {State} from '../../state/state.ts';
import {firstEvidence} from './look-at-result.ts';

export type RadarParts = {
	readonly store: Store;
	readonly state: () => State;
	/** Type checkers; the radar closes them. */
	readonly oracles: Oracles;
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Told once of each comparison that could not be made. */
	readonly onTrouble: (error: unknown) => void;
};

/**
Compares the pinned work of agents with each other's and with the target, one pair at a time, and tells only what changed.

What is found by reading is told at once; checkers see the pair after that and beside the reading of others, so a slow one holds nobody up; what one of them says is told before the next one is asked. What was compared is remembered here and in no event: a supervisor that comes after a crash compares once more, finds the same, and has nothing to tell. A comparison whose commits are old by now is given up.
*/
export const createRadar = ({store, state, oracles, append, onTrouble}: RadarParts): PairByPair => {
	/** Last comparisons, by pair. */
	const read = new Map<string, {readonly pair: WorkPair; readonly compared: Compared}>();
	/** Last findings of type checkers, by pair. */
	const judged = new Map<string, readonly Finding[]>();

	const pairs = (): readonly WorkPair[] =>
		state().disk?.level === 'full' ? [] : pairsToCompare(state());

	const publish = async (
		pair: WorkPair,
		findings: readonly Finding[],
		unread: readonly UnreadFile[],
	): Promise<void> => {
		const found = comparedEvent(pair, findings, unread);
		if (isNews(state(), found)) {
			await append([found]);
		}
	};

	const lastJudged = (pair: WorkPair): readonly Finding[] =>
		judged.get(nameOf(pair)) ??
		state().compared.find(compared => isPair(compared, pair))?.findings ??
		[];

	const isRead = (pair: WorkPair): boolean => {
		const last = read.get(nameOf(pair));
		return last !== undefined && isSame(last.pair)(pair);
	};

	const reading = pairByPair({
		pairs,
		work: async (pair, signal) => {
			const compared = await compare(store, pair.commits, {signal});
			signal.throwIfAborted();
			const {findings, unread} = compared;
			await publish(pair, untilChecked(findings, lastJudged(pair)), unread);
			read.set(nameOf(pair), {pair, compared});
			checking.look();
		},
		onTrouble,
	});

	const checking = pairByPair({
		pairs: () => pairs().filter(isRead),
		work: async (pair, signal) => {
			const {compared} = read.get(nameOf(pair)) ?? {};
			if (compared === undefined) {
				return;
			}

			const asked: string[] = [];
			const findings = await confirmedBy(oracles, compared, {
				signal,
				onVerdict: async ({findings: found, run: {name, version}}) => {
					signal.throwIfAborted();
					asked.push(`${name} ${version}`);
					await publish(pair, untilAllAsked(found, lastJudged(pair), asked), compared.unread);
				},
			});
			signal.throwIfAborted();
			judged.set(nameOf(pair), findings);
			await publish(pair, findings, compared.unread);
		},
		onTrouble,
	});

	return {
		look: () => {
			reading.look();
			checking.look();
		},
		close: async () => {
			await Promise.all([reading.close(), checking.close()]);
			await oracles[Symbol.asyncDispose]();
		},
	};
};

/**
Returns what is said of a pair until checkers have seen its present work: what was found by reading it, judged as they judged it the last time.

What they had confirmed stays, so that nothing is taken back after each change only to be said again.
*/
const untilChecked = (
	read: readonly Finding[],
	lastJudged: readonly Finding[],
): readonly Finding[] => {
	const judged = new Map(lastJudged.map(finding => [finding.key, finding]));
	const keys = new Set(read.map(({key}) => key));
	return [
		...read.map(finding => asJudged(finding, judged.get(finding.key))),
		...lastJudged.filter(({key, confirmed}) => confirmed !== undefined && !keys.has(key)),
	];
};

/** Returns what is said of a pair while further checkers are asked: what was found so far, and what those had confirmed the last time. */
export const untilAllAsked = (
	found: readonly Finding[],
	lastJudged: readonly Finding[],
	asked: readonly string[],
): readonly Finding[] => {
	const keys = new Set(found.map(({key}) => key));
	return [
		...found,
		...lastJudged.filter(
			({key, confirmed}) =>
				confirmed !== undefined && !asked.includes(confirmed.by) && !keys.has(key),
		),
	];
};

const asJudged = (finding: Finding, last: Finding | undefined): Finding => {
	if (last === undefined) {
		return finding;
	}

	const {blocking, confidence, confirmed} = last;
	return {...finding, blocking, confidence, ...defined({confirmed})};
};

/** Most findings listed for a pair, so that the journal stays readable; further ones are counted. */
const mostFindings = 20;

/** Most notes listed. */
const mostNotes = 10;

const comparedEvent = (
	{a, b}: WorkPair,
	findings: readonly Finding[],
	unread: readonly UnreadFile[],
): BodyOf<'work.compared'> => {
	const blocking = findings.filter(finding => finding.blocking);
	const kept = blocking.slice(0, mostFindings);
	return {
		kind: 'work.compared',
		a,
		b,
		findings: withSide([...kept, ...notesOf(findings)], {a, b}).map(finding => ({
			...finding,
			evidence: firstEvidence(finding),
		})),
		more: blocking.length - kept.length,
		...(unread.length === 0 ? {} : {unread: unreadByReason(unread)}),
	};
};

/** Sorts notes: work that two agents do twice comes first, since one of them could stop. */
const notesOf = (findings: readonly Finding[]): readonly Finding[] =>
	findings
		.filter(({blocking}) => !blocking)
		.toSorted((one, other) => Number(other.rule === 'A9') - Number(one.rule === 'A9'))
		.slice(0, mostNotes);

/** A line that moved is no news; another line, another file, another rule or a checker's word is. Of a note only that it is there, or gone. */
const isNews = ({compared}: State, found: BodyOf<'work.compared'>): boolean => {
	const before = compared.find(pair => isPair(pair, found));
	const text = (
		pair: Pick<BodyOf<'work.compared'>, 'findings' | 'more' | 'unread'> | undefined,
	): string =>
		JSON.stringify([
			pair?.more ?? 0,
			pair?.unread ?? [],
			...(pair?.findings ?? []).map(({key, blocking, evidence, confirmed}) => [
				key,
				blocking,
				confirmed?.text,
				...(blocking ? evidence.map(({side, path, text}) => [side, path, text]) : []),
			]),
		]);
	return text(before) !== text(found);
};

type PairByPairParts = {
	/** Returns the pairs that are wanted now. */
	readonly pairs: () => readonly WorkPair[];
	readonly work: (pair: WorkPair, signal: AbortSignal) => Promise<void>;
	/** Told once of each pair that could not be worked on. */
	readonly onTrouble: (error: unknown) => void;
};

type PairByPair = {
	/** Sees what is wanted by now; nobody waits for it. */
	readonly look: () => void;
	/** Gives up what is under way, and settles when nothing is. */
	readonly close: () => Promise<void>;
};

/** Works on one pair at a time, on each once for the same commits, and gives one up that is no longer wanted. */
const pairByPair = ({pairs, work, onTrouble}: PairByPairParts): PairByPair => {
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
const nameOf = ({a, b}: WorkPair): string => `${a} ${b}`;

/** Returns whether another pair has the same sides with the same commits. */
const isSame =
	(one: WorkPair) =>
	(other: WorkPair): boolean =>
		isPair(one, other) && commitsOf(one) === commitsOf(other);

const commitsOf = ({commits: {a, b, base = ''}}: WorkPair): string => `${a} ${b} ${base}`;
