import {counted} from '../../lib/text/counted.ts';
import type {Signal} from '../../signals/index.ts';
import {accept} from '../agent/accept.ts';
import {aborted} from '../agent/cancel.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {replied} from '../reply.ts';
import {agentOf} from '../select.ts';
import {withAgent, withoutAttempts} from '../state.ts';
import {type ItemKind, plain} from './kind.ts';
import {type WorkDetail, workDetail} from './work-detail.ts';

/** An agent has finished, and its work waits to be accepted. */
export type ReviewItem = {
	readonly agent: string;
	/** Why it is open again. */
	readonly trouble?: string;
};

/** What the agent reported, beside what git says. */
export type ReviewDetail = Partial<WorkDetail> & {
	readonly deliverables: readonly string[];
	readonly metrics_achieved: CompletionReport['metrics_achieved'] | null;
	readonly recommendations: readonly string[];
};

type CompletionReport = Extract<Signal, {kind: 'completion_report'}>;

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
		const title = `Finished, ${counted(files, 'file')} changed: ${agent?.subtask.subtask ?? ''}`;
		return trouble === undefined ? title : `${title} (${trouble})`;
	},
	detail: (state, {agent}) => {
		const report = agentOf(state, agent)?.report;
		return {
			deliverables: report?.deliverables ?? [],
			metrics_achieved: report?.metrics_achieved ?? null,
			recommendations: report?.recommendations ?? [],
			...workDetail(state, agent),
		};
	},
	decided: (state, item, {verb}, {note}) => {
		switch (verb) {
			case 'merge':
				return withAgent(voidMerge(state, [item.agent]), item.agent, agent => accept(agent));
			case 'feedback':
				// What failed when it was sent back before is tried anew, or this feedback would never reach it.
				return replied(withoutAttempts(state, item.agent), item, {
					heading: 'REVIEW FEEDBACK',
					about: '',
					text: note ?? '',
				});
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};
