import {defined} from '../../lib/defined.ts';
import {verdictText, waitsForText} from '../merge/attribution-text.ts';
import {attributed, checksAtOnce} from '../merge/parts.ts';
import type {State} from '../state.ts';

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

/** What readers are shown of it: the verdict, who is named, what was checked for it, and what it still waits for. */
export const attributionDetail = (state: State): Readonly<Record<string, unknown>> => {
	const {merge} = state;
	const attribution = attributed(state);
	if (attribution === undefined || merge.phase !== 'verified') {
		return {};
	}

	const {verdict} = attribution;
	const {places, parts} = merge.verified;
	return {
		...defined({failing: places}),
		attribution: {
			verdict: verdict.kind,
			...defined({says: attributionText(state), waitsFor: attributionWaits(state)}),
			...(verdict.kind === 'agents' ? {type: 'TEST_CONFLICT', sets: verdict.sets} : {}),
			checks: parts?.runs ?? [],
		},
	};
};

const targetOf = ({session}: State): string => session?.target ?? 'the target';
