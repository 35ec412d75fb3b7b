import type {FailureLocation} from '../../../events/event.ts';
import {defined} from '../../../lib/values.ts';
import type {Verdict} from '../../merge/attribution.ts';
import {verdictText, waitsForText} from '../../merge/attribution-text.ts';
import type {PartRun} from '../../merge/merge.ts';
import {attributed, checksAtOnce} from '../../merge/parts.ts';
import {type TestConflict, testConflicts} from '../../merge/test-conflict.ts';
import type {State} from '../../state.ts';

/** Returns sentences about the agents whose work fails the check; nothing while they are unknown. */
export const attributionText = (state: State): string | undefined => {
	const attribution = attributed(state);
	return attribution && verdictText(attribution.verdict, targetOf(state));
};

/** Returns a text about the parts that are being checked for that, and how many may follow; nothing when all is known. */
export const attributionWaits = (state: State): string | undefined => {
	const {merge} = state;
	const attribution = attributed(state);
	return attribution === undefined || merge.phase !== 'verified'
		? undefined
		: waitsForText(attribution, merge.verified.parts?.runs ?? [], {
				everybody: merge.built.agents,
				target: targetOf(state),
				atOnce: checksAtOnce(state),
			});
};

/** Attribution of a failed check: the verdict, the named agents, the parts that were checked, and those still to check. */
export type AttributionDetail = {
	readonly failing?: readonly FailureLocation[];
	readonly attribution?: {
		readonly verdict: Verdict['kind'];
		readonly says?: string;
		readonly waitsFor?: string;
		readonly sets?: Extract<Verdict, {kind: 'agents'}>['sets'];
		/** Conflicts between agents in it; absent if one of them fails alone. */
		readonly conflicts?: readonly TestConflict[];
		readonly checks: readonly PartRun[];
	};
};

/** Returns the attribution of a failed check; empty if there is none. */
export const attributionDetail = (state: State): AttributionDetail => {
	const {merge} = state;
	const attribution = attributed(state);
	if (attribution === undefined || merge.phase !== 'verified') {
		return {};
	}

	const {verdict} = attribution;
	const {places, parts} = merge.verified;
	const conflicts = testConflicts(verdict, parts?.runs ?? [], places);
	return {
		...defined({failing: places}),
		attribution: {
			verdict: verdict.kind,
			...defined({says: attributionText(state), waitsFor: attributionWaits(state)}),
			...(verdict.kind === 'agents' ? {sets: verdict.sets} : {}),
			...(conflicts.length === 0 ? {} : {conflicts}),
			checks: parts?.runs ?? [],
		},
	};
};

const targetOf = ({session}: State): string => session?.target ?? 'the target';
