import {type Compared, compare, confirmedBy, withSide} from '../../conflicts/compare.ts';
import type {Finding} from '../../conflicts/finding.ts';
import {type OracleRun, type Oracles, together} from '../../conflicts/oracle/open-oracles.ts';
import type {Body, BodyOf} from '../../events/event.ts';
import {unreadByReason} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {asFailure} from '../../lib/failure.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {pairsToCompare, type WorkPair} from '../../rules/collisions.ts';
import {isPair} from '../../state/agent/compared.ts';
import {checkerName} from '../../state/merge/attribution-text.ts';
import type {ComparedPair, State} from '../../state/state.ts';
import {firstEvidence} from './look-at-result.ts';

export type RadarParts = {
	readonly store: Store;
	readonly state: () => State;
	/** Type checkers; the radar closes them. */
	readonly oracles: Oracles;
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	readonly onTrouble: (error: unknown) => void;
};

/**
Compares the pinned work of agents with each other's and with the target, one pair at a time, and records only changes.

It records findings by reading at once. Type checkers examine the pair afterwards, while the next pair is read, so a slow one delays no other pair, and the verdict of each is recorded before the next one runs. Completed comparisons are kept in memory and in no event: a supervisor that starts after a crash compares again, finds the same, and records nothing. A comparison is aborted when its commits are outdated.
*/
export const createRadar = ({store, state, oracles, append, onTrouble}: RadarParts): PairByPair => {
	/** Last comparisons, by pair. */
	const read = new Map<string, {readonly pair: WorkPair; readonly compared: Compared}>();
	/** Last results of type checkers, by pair. */
	const judged = new Map<string, Judged>();

	const pairs = (): readonly WorkPair[] =>
		state().disk?.level === 'full' ? [] : pairsToCompare(state());

	const record = async (found: BodyOf<'work.compared'>): Promise<void> => {
		if (isNews(state(), found)) {
			await append([found]);
		}
	};

	const recorded = (pair: WorkPair) => state().compared.find(compared => isPair(compared, pair));

	/** Records why a comparison failed, beside what was found before. */
	const giveUp = (
		pair: WorkPair,
		why: Pick<BodyOf<'work.compared'>, 'failed' | 'unchecked'>,
	): Promise<void> => {
		const {a, b} = pair;
		const {notified, ...known} = recorded(pair) ?? {findings: [], more: 0};
		return record({kind: 'work.compared', a, b, ...known, ...why});
	};

	const publish = (pair: WorkPair, findings: readonly Finding[], lacking: Lacking): Promise<void> =>
		record(comparedEvent(pair, findings, lacking));

	const lastJudged = (pair: WorkPair): Judged =>
		judged.get(nameOf(pair)) ?? recorded(pair) ?? {findings: [], unchecked: []};

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
			const last = lastJudged(pair);
			const {unchecked} = last;
			await publish(pair, untilChecked(findings, last.findings), {unread, unchecked});
			read.set(nameOf(pair), {pair, compared});
			checking.look();
		},
		onTrouble,
		onGivenUp: (pair, failed) => giveUp(pair, {failed}),
	});

	const checking = pairByPair({
		pairs: () => pairs().filter(isRead),
		work: async (pair, signal) => {
			const {compared} = read.get(nameOf(pair)) ?? {};
			if (compared === undefined) {
				return;
			}

			const {unread} = compared;
			const runs = new Map<string, OracleRun>();
			const unchecked = () => [...runs.values()].flatMap(failedChecker);
			const findings = await confirmedBy(oracles, compared, {
				signal,
				onVerdict: async ({findings: found, run}) => {
					signal.throwIfAborted();
					runs.set(run.name, together(runs.get(run.name), run));
					const asked = [...runs.values()].map(checkerName);
					const known = untilAllAsked(found, lastJudged(pair).findings, asked);
					await publish(pair, known, {unread, unchecked: unchecked()});
				},
			});
			signal.throwIfAborted();
			judged.set(nameOf(pair), {findings, unchecked: unchecked()});
			await publish(pair, findings, {unread, unchecked: unchecked()});
		},
		onTrouble,
		onGivenUp: (pair, why) => {
			judged.delete(nameOf(pair));
			return giveUp(pair, {unchecked: [{by: 'any checker', why}]});
		},
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

type Judged = Pick<ComparedPair, 'findings' | 'unchecked'>;

/** What the comparison of a pair lacks. */
type Lacking = Pick<Compared, 'unread'> & Pick<Judged, 'unchecked'>;

const failedChecker = (run: OracleRun): Judged['unchecked'] =>
	run.failed === undefined ? [] : [{by: checkerName(run), why: run.failed}];

/**
Returns the findings of a pair before type checkers have examined its current work: those by reading, with their last verdicts.

Confirmed findings stay, so that they don't disappear and reappear with each change.
*/
const untilChecked = (
	read: readonly Finding[],
	lastJudged: readonly Finding[],
): readonly Finding[] => {
	const judged = new Map(lastJudged.map(finding => [finding.key, finding]));
	const known = read.map(finding => asJudged(finding, judged.get(finding.key)));
	return untilAllAsked(known, lastJudged, []);
};

/** Returns the findings of a pair while some type checkers have yet to run: those so far, and the last ones that these checkers confirmed. */
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

/** Maximum number of findings per pair, so that the journal stays readable; the others are counted. */
const mostFindings = 20;

/** Maximum number of notes per pair. */
const mostNotes = 10;

const comparedEvent = (
	{a, b}: WorkPair,
	findings: readonly Finding[],
	{unread, unchecked}: Lacking,
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
		...(unchecked.length === 0 ? {} : {unchecked}),
	};
};

/** Returns the notes, beginning with work that two agents do twice, since one of them could stop. */
const notesOf = (findings: readonly Finding[]): readonly Finding[] =>
	findings
		.filter(({blocking}) => !blocking)
		.toSorted((one, other) => Number(other.rule === 'A9') - Number(one.rule === 'A9'))
		.slice(0, mostNotes);

/** Returns whether findings are worth recording. A moved line isn't; another line, file, rule or verdict is. Of notes, failed checkers and failures only appearance and disappearance count. */
const isNews = ({compared}: State, found: BodyOf<'work.compared'>): boolean => {
	const before = compared.find(pair => isPair(pair, found));
	const text = (pair: Omit<BodyOf<'work.compared'>, 'kind'> | undefined): string =>
		JSON.stringify([
			pair?.failed !== undefined,
			pair?.more ?? 0,
			pair?.unread ?? [],
			(pair?.unchecked ?? []).map(({by}) => by),
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
	/** Returns the pairs that need work now. */
	readonly pairs: () => readonly WorkPair[];
	readonly work: (pair: WorkPair, signal: AbortSignal) => Promise<void>;
	/** Called with the error of each pair that failed. */
	readonly onTrouble: (error: unknown) => void;
	/** Called with the reason if it failed twice. */
	readonly onGivenUp: (pair: WorkPair, why: string) => Promise<void>;
};

type PairByPair = {
	/** Starts work on the pairs that need it, and aborts outdated work; doesn't wait. */
	readonly look: () => void;
	/** Aborts the current work, and resolves when it has stopped. */
	readonly close: () => Promise<void>;
};

/** Works on one pair at a time, once for the same commits or twice if that fails, and aborts work on a pair that is no longer needed. */
const pairByPair = ({pairs, work, onTrouble, onGivenUp}: PairByPairParts): PairByPair => {
	const done = new Map<string, string>();
	const failed = new Map<string, string>();
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
				if (abort.signal.aborted) {
					continue;
				}

				onTrouble(error);
				if (failed.get(nameOf(pair)) !== commitsOf(pair)) {
					failed.set(nameOf(pair), commitsOf(pair));
					continue;
				}

				await onGivenUp(pair, `${withoutStop(asFailure(error).message)}.`).catch(onTrouble);
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

/** Returns the key of a pair, regardless of its commits. */
const nameOf = ({a, b}: WorkPair): string => `${a} ${b}`;

/** Returns whether another pair has the same sides with the same commits. */
const isSame =
	(one: WorkPair) =>
	(other: WorkPair): boolean =>
		isPair(one, other) && commitsOf(one) === commitsOf(other);

const commitsOf = ({commits: {a, b, base = ''}}: WorkPair): string => `${a} ${b} ${base}`;
