import {enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, accept, outcomeByPerson, withReview} from '../agent/agent.ts';
import type {CheckpointItem} from '../item.ts';
import {replied, withNote} from '../reply.ts';
import {contendersOf} from '../rivals/rivals.ts';
import {agentOf} from '../select.ts';
import {aborted, withAgent} from '../state.ts';
import {type ItemKind, plain} from './kind.ts';
import {abortOffer, snapshotsOf} from './offers.ts';
import {type WorkDetail, workDetail} from './work-detail.ts';

/** What the agent said, beside what git says. */
export type CheckpointDetail = Partial<WorkDetail> &
	Pick<CheckpointItem['said'], 'request' | 'changes' | 'tests'>;

export type CheckpointChoice =
	| {readonly verb: 'continue'}
	| {readonly verb: 'merge'}
	| {readonly verb: 'help'}
	| {readonly verb: 'restore'; readonly snapshot: number}
	| {readonly verb: 'abort'};

export const checkpoint: ItemKind<'checkpoint', CheckpointChoice, CheckpointDetail> = {
	...plain<'continue' | 'merge' | 'help' | 'restore' | 'abort'>(),
	offers: (state, {agent}) => [
		{choice: {verb: 'continue'}, label: 'Let it go on', note: 'optional'},
		{choice: {verb: 'merge'}, label: 'Accept its work as it is'},
		{choice: {verb: 'help'}, label: 'Let it go on with your advice', note: 'required'},
		...snapshotsOf(state, agent).map(
			({number}) =>
				({
					choice: {verb: 'restore', snapshot: number},
					label: `Set its worktree back to snapshot ${number} and let it go on`,
					note: 'optional',
				}) as const,
		),
		abortOffer(state, agent),
	],
	words: choice => (choice.verb === 'restore' ? `restore:${choice.snapshot}` : choice.verb),
	holdsUp: () => true,
	whyNot: (state, {agent}, {verb}) => {
		switch (verb) {
			case 'merge':
				return whyRivals(contendersOf(state, agent));
			case 'continue':
			case 'help':
			case 'restore':
			case 'abort':
				return undefined;
		}
	},
	called: 'a checkpoint',
	worker: (state, {agent}) => agentOf(state, agent),
	title: (_, {said}) => {
		const words = [said.status, said.progress === undefined ? undefined : `${said.progress} %`];
		const told = words.filter(word => word !== undefined).join(', ');
		return `Checkpoint${told === '' ? '' : `: ${told}`}; it asks ${requests[said.request ?? 'CONTINUE']}`;
	},
	detail: (state, {agent, said: {request, changes, tests}}, around) => ({
		...defined({request, changes, tests}),
		...workDetail(state, agent, around),
	}),
	decided: (state, item, choice, {note}) => {
		const reviewed = {heading: 'CHECKPOINT REVIEWED', about: ''} as const;
		switch (choice.verb) {
			case 'continue':
			case 'help':
				return withAgent(replied(state, item, {...reviewed, text: note ?? ''}), item.agent, agent =>
					withReview(agent),
				);
			case 'restore':
				return withAgent(
					replied(state, item, {
						...reviewed,
						text: withNote(`Your worktree was set back to snapshot ${choice.snapshot}.`, note),
					}),
					item.agent,
					agent => ({...withReview(agent, choice.snapshot), restore: choice.snapshot}),
				);
			case 'merge':
				return withAgent(state, item.agent, agent => ({
					...accept(agent),
					outcome: outcomeByPerson('a person accepted its work at a checkpoint'),
				}));
			case 'abort':
				return aborted(state, item.agent);
		}
	},
};

const whyRivals = (rivals: readonly Agent[]): string | undefined =>
	rivals.length === 0
		? undefined
		: `${enumerated(rivals.map(({id}) => id))} ${rivals.length === 1 ? 'does' : 'do'} the same: let it finish, and take one of the works.`;

const requests: Readonly<Record<NonNullable<CheckpointItem['said']['request']>, string>> = {
	CONTINUE: 'to continue',
	MERGE: 'to be merged',
	HELP: 'for help',
	ABORT: 'to be ended',
};
