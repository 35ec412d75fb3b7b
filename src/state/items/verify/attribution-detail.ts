import type {FailureLocation} from '../../../events/event.ts';
import {defined} from '../../../lib/values.ts';
import type {Verdict} from '../../merge/attribution.ts';
import {verdictText, waitsForText} from '../../merge/attribution-text.ts';
import type {PartRun} from '../../merge/merge.ts';
import {attributed, checksAtOnce} from '../../merge/parts.ts';
import {type TestConflict, testConflicts} from '../../merge/test-conflict.ts';
import type {State} from '../../state.ts';

/** Returns in sentences whose work fails the check of the result; nothing as long as that isn't known. */
export const attributionText = (state: State): string | undefined => {
	const attribution = attributed(state);
	return attribution && verdictText(attribution.verdict, targetOf(state));
};

/** Returns which parts are being checked to find that out, and how many there may be; nothing when all is known. */
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

/** Returns what readers are shown of that; nothing where nobody asks. */
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
