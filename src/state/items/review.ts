import {defined} from '../../lib/defined.ts';
import {counted} from '../../lib/text/counted.ts';
import {accept} from '../agent/accept.ts';
import {aborted} from '../agent/cancel.ts';
import {wrongClaims} from '../agent/claims/claims.ts';
import {withReview} from '../agent/reviewed.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {replied} from '../reply.ts';
import {agentOf} from '../select.ts';
import {withAgent, withoutAttempts} from '../state.ts';
import {type ItemKind, plain} from './kind.ts';
import {type ReportDetail, reportDetail} from './report-detail.ts';
import {type WorkDetail, workDetail} from './work-detail.ts';

/** An agent has finished, and its work waits to be accepted. */
export type ReviewItem = {
	readonly agent: string;
	/** Why it is open again. */
	readonly trouble?: string;
};

/** What the agent reported, beside what git says. */
export type ReviewDetail = Partial<WorkDetail> & Partial<ReportDetail>;

export type ReviewChoice =
	| {readonly verb: 'merge'}
	| {readonly verb: 'feedback'}
	| {readonly verb: 'abort'};

export const review: ItemKind<'review'> = {
	...plain,
	offers: () => [
		{choice: {verb: 'merge'}, label: 'Include in the result'},
		{choice: {verb: 'feedback'}, label: 'Send it back with your note', note: 'required'},
		{choice: {verb: 'abort'}, label: 'Drop from the result; its work is kept'},
	],
	holdsUp: () => false,
	whyNot: (state, {agent}, {verb}) =>
		verb === 'merge' && agentOf(state, agent)?.verdict.kind === 'cancelled'
			? 'This agent is being ended.'
			: undefined,
	title: (state, {agent: id, trouble}) => {
		const agent = agentOf(state, id);
		const files = agent?.snapshots.at(-1)?.files ?? 0;
		const wrong = agent === undefined ? 0 : wrongClaims(agent).length;
		const doubt = wrong === 0 ? '' : `, ${counted(wrong, 'claim')} wrong`;
		const title = `Finished, ${counted(files, 'file')} changed${doubt}: ${agent?.subtask.subtask ?? ''}`;
		return trouble === undefined ? title : `${title} (${trouble})`;
	},
	detail: (state, {agent}) => ({
		...reportDetail(agentOf(state, agent)),
		...workDetail(state, agent),
	}),
	decided: (state, item, {verb}, {note, files}) => {
		switch (verb) {
			case 'merge':
				return withAgent(voidMerge(state, [item.agent]), item.agent, agent =>
					accept(agent, defined({files})),
				);
			case 'feedback':
				// What failed when it was sent back before is tried anew, or this feedback would never reach it.
				return withAgent(
					replied(withoutAttempts(state, item.agent), item, {
						heading: 'REVIEW FEEDBACK',
						about: '',
						text: note ?? '',
					}),
					item.agent,
					agent => withReview(agent),
				);
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};
