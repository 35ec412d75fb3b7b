import {counted, enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {withReview} from '../agent/agent.ts';
import {wrongClaims} from '../agent/compared.ts';
import {acceptedAgents, withMergedNow} from '../merge/members.ts';
import {turning, whyNotMergeNow, whyTurning} from '../merge/publication.ts';
import {replied} from '../reply.ts';
import {contendersOf, setAsideFor, taken} from '../rivals/rivals.ts';
import {type RivalsDetail, rivalsDetail} from '../rivals/rivals-detail.ts';
import {
	bringingOffers,
	type RivalChoice,
	settingAside,
	stoppingOffer,
	takenWith,
	whyNotBring,
	whyRivalsOpen,
} from '../rivals/take-rival.ts';
import {agentOf, isSettled} from '../select.ts';
import {aborted, type State, withAgent, withoutAttempts} from '../state.ts';
import {itemKind} from './kind.ts';
import {agentWords, ending} from './offers.ts';
import {type ReportDetail, reportDetail, type WorkDetail, workDetail} from './work-detail.ts';

/** The agent's report beside git's facts. */
export type ReviewDetail = Partial<WorkDetail> & Partial<ReportDetail> & RivalsDetail;

export type ReviewChoice =
	| {readonly verb: 'merge' | 'feedback' | 'abort'}
	/** Accepts it and merges it without waiting for the others; `merge-all` includes all work accepted before. */
	| {readonly verb: 'merge-now' | 'merge-all'}
	| RivalChoice;

export const review = itemKind<'review', ReviewChoice, ReviewDetail>({
	choices: {
		merge: {
			offer: (state, {agent}) =>
				settingAside(state, agent, {
					label:
						contendersOf(state, agent).length === 0 ? 'Include in the result' : 'Take this one',
				}),
			whyNot: (state, {agent}) => whyNotTake(state, agent),
			decided: (state, {agent}, {files}) => taken(state, agent, defined({files})),
		},
		'merge-and-stop': {
			offer: (state, {agent}) => stoppingOffer(state, agent),
			whyNot: (state, {agent}) => whyEnding(state, agent),
			decided: (state, {agent}, {files}) => taken(state, agent, defined({files})),
		},
		'merge-with': {
			offer: (state, {agent}) => bringingOffers(state, agent),
			words: agentWords,
			whyNot: (state, {agent}) => whyNotTake(state, agent),
			whyNotWith: (state, {agent}, supplied, choice) =>
				whyNotBring(state, agent, choice.agent, supplied),
			decided: (state, {agent}, {note, files}, choice) =>
				takenWith(state, agent, choice.agent, defined({note, files})),
		},
		'merge-now': {
			offer: (state, {agent}) =>
				isLast(state, agent)
					? undefined
					: settingAside(state, agent, {label: 'Merge it now, while the others go on'}),
			whyNot: (state, {agent}) => whyNotTakeNow(state, agent, [agent]),
			decided: (state, {agent}, {files}) =>
				withMergedNow(taken(state, agent, defined({files})), [agent]),
		},
		'merge-all': {
			offer: (state, {agent}) => {
				const others = acceptedAgents(state).map(({id}) => id);
				return others.length === 0 || isLast(state, agent)
					? undefined
					: settingAside(state, agent, {
							label: `Merge it now, together with ${enumerated(others)}`,
						});
			},
			whyNot: (state, {agent}) => whyNotTakeNow(state, agent, allWith(state, agent)),
			decided: (state, {agent}, {files}) =>
				withMergedNow(taken(state, agent, defined({files})), allWith(state, agent)),
		},
		feedback: {
			offer: {label: 'Send it back with your note', note: 'required'},
			whyNot: (state, {agent}) => whyHeld(state, agent),
			// An effect that failed when it was sent back before is tried again, or this feedback would never reach it.
			decided: (state, item, {note}) =>
				withAgent(
					replied(withoutAttempts(state, item.agent), item, {
						heading: 'REVIEW FEEDBACK',
						about: '',
						text: note ?? '',
					}),
					item.agent,
					agent => withReview(agent),
				),
		},
		abort: {
			offer: (state, {agent}) =>
				ending(state, [agent], {label: 'Drop from the result; its work is kept'}),
			whyNot: (state, {agent}) => whyHeld(state, agent),
			decided: (state, {agent}) => aborted(state, agent),
		},
	},
	holdsUp: () => false,
	called: 'finished work',
	worker: (state, {agent}) => agentOf(state, agent),
	title: (state, {agent: id, trouble}) => {
		const agent = agentOf(state, id);
		const files = agent?.snapshots.at(-1)?.files ?? 0;
		const wrong = agent === undefined ? 0 : wrongClaims(agent).length;
		const doubt = wrong === 0 ? '' : `, ${counted(wrong, 'claim')} wrong`;
		const title = `Finished, ${counted(files, 'file')} changed${doubt}: ${agent?.subtask.subtask ?? ''}`;
		return trouble === undefined ? title : `${title} (${trouble})`;
	},
	detail: (state, {agent}, around) => ({
		...defined({ended: agentOf(state, agent)?.outcome?.why}),
		...reportDetail(agentOf(state, agent)),
		...workDetail(state, agent, around),
		...rivalsDetail(state, agent),
	}),
});

/** Returns whether accepting this agent starts the merge, since no other one is left to wait for. */
const isLast = (state: State, id: string): boolean => {
	const aside = setAsideFor(state, id);
	return state.agents.every(agent => agent.id === id || isSettled(agent) || aside.includes(agent));
};

const allWith = (state: State, id: string): readonly string[] => [
	...acceptedAgents(state).map(one => one.id),
	id,
];

/** Returns the reason why a work can't be decided now: a merge with it is being undone or redone. */
const whyHeld = (state: State, id: string): string | undefined =>
	turning(state)?.built.agents.includes(id) ? whyTurning(state) : undefined;

const whyEnding = (state: State, id: string): string | undefined =>
	whyHeld(state, id) ??
	(agentOf(state, id)?.verdict.kind === 'cancelled' ? 'This agent is being ended.' : undefined);

const whyNotTake = (state: State, id: string): string | undefined => {
	const open = whyRivalsOpen(state, id);
	return (
		whyEnding(state, id) ??
		(open && `${open} Wait for that, or choose merge-and-stop, which ends it.`)
	);
};

const whyNotTakeNow = (state: State, id: string, members: readonly string[]): string | undefined =>
	whyEnding(state, id) ?? whyRivalsOpen(state, id) ?? whyNotMergeNow(state, members);
