import {enumerated} from '../../../lib/text/words.ts';
import {cancel} from '../../agent/agent.ts';
import type {ItemOf} from '../../item.ts';
import {failedCommand, withApproval} from '../../merge/checked-result.ts';
import {membersOf} from '../../merge/members.ts';
import {attributed, charged, withoutRedTrees} from '../../merge/parts.ts';
import {voidMerge} from '../../merge/publication.ts';
import {withReply} from '../../reply.ts';
import {type State, withAgent} from '../../state.ts';
import {type Given, type ItemKind, type Offer, plain} from '../kind.ts';
import {ending} from '../offers.ts';
import {type ResultDetail, resultDetail} from '../work-detail.ts';
import {type AttributionDetail, attributionDetail, attributionText} from './attribution-detail.ts';

export type VerifyDetail = Partial<ResultDetail> & AttributionDetail;

export type VerifyChoice =
	| {readonly verb: 'retry'}
	/** To those whose work fails, as far as that is known. */
	| {readonly verb: 'feedback'}
	| {readonly verb: 'feedback-all'}
	| {readonly verb: 'accept'}
	| {readonly verb: 'abort'};

export const verify: ItemKind<'verify', VerifyChoice, VerifyDetail> = {
	...plain<'retry' | 'feedback' | 'feedback-all' | 'accept' | 'abort'>(),
	offers: (state, {commit, gitSettings}) => [
		{
			choice: {verb: 'retry'},
			label:
				gitSettings === undefined ? 'Try it again' : 'Go on with your git settings as they are now',
		},
		...(gitSettings === undefined ? feedbackOffers(state) : []),
		...(commit === ''
			? []
			: [
					{
						choice: {verb: 'accept'},
						label: 'Continue despite the failure',
					} as const,
				]),
		ending(state, membersOf(state.merge), {
			choice: {verb: 'abort'},
			label: 'Leave all of it out; it is kept',
		}),
	],
	holdsUp: () => false,
	whyNot: ({merge}, _, {verb}) => {
		switch (verb) {
			case 'accept':
				return merge.phase === 'verified' ? undefined : 'There is no result to accept.';
			case 'retry':
			case 'feedback':
			case 'feedback-all':
			case 'abort':
				return undefined;
		}
	},
	called: 'the check failed',
	title: (state, {commit, why, gitSettings}) => {
		if (commit !== '') {
			const known = attributionText(state);
			return `The check of the merged result failed: ${why}${known === undefined ? '' : `. ${known}`}`;
		}

		// Without a commit nothing was checked: there was nothing to check yet.
		return gitSettings === undefined
			? `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`
			: `Nothing is put together yet. ${why}`;
	},
	detail: state => ({...resultDetail(state), ...attributionDetail(state)}),
	decided: (state, item, {verb}, given) => {
		switch (verb) {
			case 'retry':
				return retried(state, item, given);
			case 'feedback':
				return sentBack(state, item, namedAgents(state), given.note ?? '');
			case 'feedback-all':
				return sentBack(state, item, [], given.note ?? '');
			case 'accept':
				return state.merge.phase === 'verified'
					? withApproval(state, state.merge.built)
					: voidMerge(state, []);
			case 'abort':
				return leftOut(state);
		}
	},
};

/** What a person goes on with has been shown to them: the settings that held a result back are agreed to. */
const retried = (state: State, {gitSettings}: ItemOf<'verify'>, {seq, at}: Given): State => {
	const {merge} = state;
	const again = withoutRedTrees(state);
	const agreed = gitSettings === undefined ? again : {...again, agreedSettings: gitSettings};
	return merge.phase === 'verified'
		? {...agreed, merge: {phase: 'built', built: merge.built, due: {seq, at}}}
		: voidMerge(agreed, []);
};

/** Who is named is sent back by default; the others' work stays accepted as it is. */
const feedbackOffers = (state: State): readonly Offer<VerifyChoice>[] => {
	const named = namedAgents(state);
	const everybody = 'Return to all agents with what failed';
	return named.length === 0
		? [{choice: {verb: 'feedback'}, label: everybody, note: 'optional'}]
		: [
				{
					choice: {verb: 'feedback'},
					label: `Return to ${enumerated(named)} with what failed`,
					note: 'optional',
				},
				{choice: {verb: 'feedback-all'}, label: everybody, note: 'optional'},
			];
};

/** Those whose work fails, where that is known and not everybody. */
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

/** What failed, whose work it is as far as that is known, and where. */
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
