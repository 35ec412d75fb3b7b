import {enumerated, sentenceCase} from '../../../lib/text/words.ts';
import {cancel} from '../../agent/agent.ts';
import type {ItemOf} from '../../item.ts';
import {failedCommand, withApproval} from '../../merge/checked-result.ts';
import {membersOf} from '../../merge/members.ts';
import {attributed, charged, withoutRedTrees} from '../../merge/parts.ts';
import {voidMerge} from '../../merge/publication.ts';
import {withReply} from '../../reply.ts';
import {type State, withAgent} from '../../state.ts';
import {type Given, itemKind} from '../kind.ts';
import {ending} from '../offers.ts';
import {type ResultDetail, resultDetail} from '../work-detail.ts';
import {type AttributionDetail, attributionDetail, attributionText} from './attribution-detail.ts';

export type VerifyDetail = Partial<ResultDetail> & AttributionDetail;

export type VerifyChoice =
	| {readonly verb: 'retry' | 'feedback-all' | 'accept' | 'abort'}
	/** Sends back the agents whose work fails, as far as known. */
	| {readonly verb: 'feedback'};

export const verify = itemKind<'verify', VerifyChoice, VerifyDetail>({
	choices: {
		retry: {
			offer: (_, {gitSettings}) => ({
				label:
					gitSettings === undefined
						? 'Try it again'
						: 'Go on with your git settings as they are now',
			}),
			decided: (state, item, given) => retried(state, item, given),
		},
		feedback: {
			// By default the named agents are sent back; the others' work stays accepted.
			offer: (state, {gitSettings}) => {
				const named = namedAgents(state);
				const whom = named.length === 0 ? everybody : enumerated(named);
				return gitSettings === undefined ? returning(whom) : undefined;
			},
			decided: (state, item, {note}) => sentBack(state, item, namedAgents(state), note ?? ''),
		},
		'feedback-all': {
			offer: (state, {gitSettings}) =>
				gitSettings === undefined && namedAgents(state).length > 0
					? returning(everybody)
					: undefined,
			decided: (state, item, {note}) => sentBack(state, item, [], note ?? ''),
		},
		accept: {
			offer: (_, {commit}) => (commit === '' ? undefined : {label: 'Continue despite the failure'}),
			whyNot: ({merge}) =>
				merge.phase === 'verified' ? undefined : 'There is no result to accept.',
			decided: state =>
				state.merge.phase === 'verified'
					? withApproval(state, state.merge.built)
					: voidMerge(state, []),
		},
		abort: {
			offer: state =>
				ending(state, membersOf(state.merge), {label: 'Leave all of it out; it is kept'}),
			decided: state => leftOut(state),
		},
	},
	holdsUp: () => false,
	called: 'a failed check',
	title: (state, {commit, why, gitSettings}) => {
		if (commit !== '') {
			const known = attributionText(state);
			return `The check of the merged result failed: ${why}${known === undefined ? '' : `. ${known}`}`;
		}

		// Without a commit there was no result to check.
		return gitSettings === undefined ? sentenceCase(why) : `There is no result yet. ${why}`;
	},
	detail: state => ({...resultDetail(state), ...attributionDetail(state)}),
});

const everybody = 'all agents';

const returning = (whom: string) =>
	({label: `Return to ${whom} with what failed`, note: 'optional'}) as const;

/** Retries the check, and accepts the git settings that were shown. */
const retried = (state: State, {gitSettings}: ItemOf<'verify'>, {seq, at}: Given): State => {
	const {merge} = state;
	const again = withoutRedTrees(state);
	const agreed = gitSettings === undefined ? again : {...again, agreedSettings: gitSettings};
	return merge.phase === 'verified'
		? {...agreed, merge: {phase: 'built', built: merge.built, due: {seq, at}}}
		: voidMerge(agreed, []);
};

/** Returns the agents whose work fails, if known and not all. */
const namedAgents = (state: State): readonly string[] => {
	const named = charged(attributed(state)?.verdict);
	return named.length < membersOf(state.merge).length ? named : [];
};

const sentBack = (
	state: State,
	{id: item}: ItemOf<'verify'>,
	named: readonly string[],
	text: string,
): State => {
	const about = feedbackText(state);
	return membersOf(state.merge)
		.filter(id => named.length === 0 || named.includes(id))
		.reduce(
			(sent, id) =>
				withReply(
					withAgent(sent, id, agent => ({...agent, verdict: {kind: 'none'}})),
					id,
					{item, heading: 'REVIEW FEEDBACK', about, text},
				),
			voidMerge(state, []),
		);
};

/** Returns the failure, its author as far as known, and its place. */
const feedbackText = (state: State): string => {
	const {merge} = state;
	if (merge.phase !== 'verified') {
		return `The check of all agents’ work together failed: it could not be put together.`;
	}

	const {verified} = merge;
	const known = attributionText(state);
	return [
		`The check of all agents’ work together failed: ${failedCommand(verified)}.`,
		...(known === undefined ? [] : [known]),
		...(verified.places ?? []).map(({text}) => text),
	].join('\n');
};

const leftOut = (state: State): State =>
	membersOf(state.merge).reduce(
		(left, id) =>
			withAgent(left, id, agent => cancel(agent, 'aborted by a person after the check')),
		state.merge.phase === 'verified' ? state : voidMerge(state, []),
	);
