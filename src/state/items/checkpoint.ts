import {enumerated, tokenInWords} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, accept, outcomeByPerson, withReview} from '../agent/agent.ts';
import type {CheckpointItem, ItemOf} from '../item.ts';
import {replied, withNote} from '../reply.ts';
import {contendersOf} from '../rivals/rivals.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import {itemKind} from './kind.ts';
import {aborting, snapshotOffers, snapshotWords} from './offers.ts';
import {type WorkDetail, workDetail} from './work-detail.ts';

/** The agent's report beside git's facts. */
export type CheckpointDetail = Partial<WorkDetail> &
	Pick<CheckpointItem['said'], 'request' | 'changes' | 'tests'>;

export type CheckpointChoice =
	| {readonly verb: 'continue' | 'merge' | 'help' | 'abort'}
	| {readonly verb: 'restore'; readonly snapshot: number};

export const checkpoint = itemKind<'checkpoint', CheckpointChoice, CheckpointDetail>({
	choices: {
		continue: {
			offer: {label: 'Let it go on', note: 'optional'},
			decided: (state, item, {note}) => reviewed(state, item, note ?? ''),
		},
		merge: {
			offer: {label: 'Accept its work as it is'},
			whyNot: (state, {agent}) => whyRivals(contendersOf(state, agent)),
			decided: (state, item) =>
				withAgent(state, item.agent, agent => ({
					...accept(agent),
					outcome: outcomeByPerson('a person accepted its work at a checkpoint'),
				})),
		},
		help: {
			offer: {label: 'Let it go on with your advice', note: 'required'},
			decided: (state, item, {note}) => reviewed(state, item, note ?? ''),
		},
		restore: {
			offer: snapshotOffers(
				'restore',
				snapshot => `Set its worktree back to ${snapshot} and let it go on`,
			),
			words: snapshotWords,
			decided: (state, item, {note}, {snapshot}) =>
				withAgent(
					reviewed(
						state,
						item,
						withNote(`Your worktree was set back to snapshot ${snapshot}.`, note),
						snapshot,
					),
					item.agent,
					agent => ({...agent, restore: snapshot}),
				),
		},
		abort: aborting,
	},
	holdsUp: () => true,
	called: 'a checkpoint',
	worker: (state, {agent}) => agentOf(state, agent),
	title: (_, {said}) => {
		const {status, progress} = said;
		const words = [status && tokenInWords(status), progress === undefined ? '' : `${progress} %`];
		const told = words.filter(word => word).join(', ');
		return `Checkpoint${told === '' ? '' : `: ${told}`}; it asks ${requests[said.request ?? 'CONTINUE']}`;
	},
	detail: (state, {agent, said: {request, changes, tests}}, around) => ({
		...defined({request, changes, tests}),
		...workDetail(state, agent, around),
	}),
});

/** Lets the agent continue, with a reply. */
const reviewed = (
	state: State,
	item: ItemOf<'checkpoint'>,
	text: string,
	snapshot?: number,
): State =>
	withAgent(
		replied(state, item, {heading: 'CHECKPOINT REVIEWED', about: '', text}),
		item.agent,
		agent => withReview(agent, snapshot),
	);

const whyRivals = (rivals: readonly Agent[]): string | undefined =>
	rivals.length === 0
		? undefined
		: `${enumerated(rivals.map(({id}) => id))} ${rivals.length === 1 ? 'does' : 'do'} the same: let it finish, then take one of the works.`;

const requests: Readonly<Record<NonNullable<CheckpointItem['said']['request']>, string>> = {
	CONTINUE: 'to continue',
	MERGE: 'to be merged',
	HELP: 'for help',
	ABORT: 'to be ended',
};
