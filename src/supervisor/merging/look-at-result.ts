import {type Breakages, type BrokenTogether, breakagesOf} from '../../conflicts/breakages.ts';
import type {Combination} from '../../conflicts/combine.ts';
import type {ConfirmOptions} from '../../conflicts/oracle/open-oracles.ts';
import {
	type Evidence,
	type Finding,
	type UnreadFile,
	unreadByReason,
} from '../../events/finding.ts';
import type {AcceptedBreakage, Breakage, Looked} from '../../events/kinds/merge-event.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {asFailure} from '../../lib/failure.ts';
import {defined, omit} from '../../lib/values.ts';
import {allPathsOf} from '../../state/items/conflict/breakage.ts';
import {acceptedIn, isAccepted, isOverlapDecided} from '../../state/merge/attribution.ts';
import type {State} from '../../state/state.ts';
import type {Works} from '../world.ts';

/** Breakages in the combined work. */
export type ResultLook = {
	/** Breakages that a person has to decide. */
	readonly open: readonly Breakage[];
	readonly accepted: readonly AcceptedBreakage[];
	readonly looked: Looked;
};

/** Maximum number of breakages to ask about at once; the others follow once these are decided. */
const mostOpen = 20;

/**
Looks for breakages in work that git can merge. If that fails, it returns the failure: a merge doesn't depend on this.

@param quick True if a person waits who didn't ask for the plan's check; then that check doesn't run.

@throws the signal's reason once it is aborted.
*/
export const lookAtResult = async (
	{store, oracles: checkers}: Works,
	{resolutions, session}: Pick<State, 'resolutions' | 'session'>,
	combination: Pick<Combination, 'tree' | 'base' | 'steps' | 'settled'>,
	{
		signal,
		quick = false,
		budget,
	}: Omit<ConfirmOptions, 'onVerdict'> & {readonly signal: AbortSignal},
): Promise<ResultLook> => {
	const asksOfOverlaps = session?.plan.conflicts?.overlap === 'ask';
	const options = {signal, quick, budget, asksOfOverlaps, ...defined({oracles: checkers})};
	try {
		const {found, merges, unread, oracles, errors} = await breakagesOf(store, combination, options);
		const paths = found.flatMap(({finding}) => allPathsOf(finding));
		const entries = await entriesAt(store, combination.tree, paths);
		const breakages = found.map(one => breakageOf(one, entries));
		const open = breakages.filter(
			one => !isAccepted(resolutions, one) && !isOverlapDecided(resolutions, one),
		);
		return {
			open: open.slice(0, mostOpen),
			accepted: breakages.filter(one => isAccepted(resolutions, one)).map(acceptedOf),
			looked: {
				...{outcome: 'compared', merges, oracles: oracles.map(run => omit(run, 'lacksPackages'))},
				...unreadFacts(unread),
				...errorFacts(errors),
			},
		};
	} catch (error) {
		signal.throwIfAborted();
		return {
			open: [],
			accepted: acceptedIn(resolutions),
			looked: {outcome: 'failed', why: asFailure(error).message},
		};
	}
};

type Entries = Awaited<ReturnType<typeof entriesAt>>;

const breakageOf = ({a, b, finding}: BrokenTogether, entries: Entries): Breakage => {
	const found = omit({kind: undefined, ...finding}, 'kind');
	const evidence = firstEvidence(finding);
	const files = allPathsOf({path: found.path, evidence}).flatMap(path => {
		const entry = entries.get(path);
		return entry === undefined ? [] : [{path, entry}];
	});
	return {...found, a, b, evidence, files};
};

const acceptedOf = ({a, b, type, rule, path, summary, confirmed}: Breakage): AcceptedBreakage => ({
	...{a, b, type, rule, path, summary},
	...defined({confirmed}),
});

const unreadFacts = (unread: readonly UnreadFile[]) => ({
	unread: unread.length,
	...(unread.length === 0 ? {} : {unreadFiles: unreadByReason(unread)}),
});

/** Maximum number of errors to list; the others are counted. */
const mostErrors = 3;

const errorFacts = (errors: Breakages['errors']) => {
	const shown = errors
		.slice(0, mostErrors)
		.map(({path, text, owners}) =>
			[path, ...(owners.length === 0 ? [] : [` (${owners.join(', ')})`]), `: ${text}`].join(''),
		);
	return shown.length === 0 ? {} : {errors: {shown, more: errors.length - shown.length}};
};

/** Maximum number of lines per side, so that the journal stays readable. */
const mostOfASide = 3;

/** Returns the first lines of each side that show a finding. */
export const firstEvidence = ({evidence}: Pick<Finding, 'evidence'>): readonly Evidence[] =>
	(['a', 'b'] as const).flatMap(side =>
		evidence.filter(one => one.side === side).slice(0, mostOfASide),
	);
