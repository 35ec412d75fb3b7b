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
	type RivalChoice,
	rivalOffers,
	settingAside,
	takenWith,
	whyNotBring,
	whyRivalsOpen,
} from '../rivals/take-rival.ts';
import {agentOf, isSettled} from '../select.ts';
import {aborted, type State, withAgent, withoutAttempts} from '../state.ts';
import {type ItemKind, type Offer, plain} from './kind.ts';
import {ending} from './offers.ts';
import {type ReportDetail, reportDetail, type WorkDetail, workDetail} from './work-detail.ts';

/** What the agent reported, beside what git says. */
export type ReviewDetail = Partial<WorkDetail> & Partial<ReportDetail> & RivalsDetail;

export type ReviewChoice =
	| {readonly verb: 'merge'}
	/** Accepts it and merges it without waiting for the others; `merge-all` takes along what was accepted before. */
	| {readonly verb: 'merge-now' | 'merge-all'}
	| {readonly verb: 'feedback'}
	| {readonly verb: 'abort'}
	| RivalChoice;

export const review: ItemKind<'review', ReviewChoice, ReviewDetail> = {
	...plain<
		'merge' | 'merge-now' | 'merge-all' | 'feedback' | 'abort' | 'merge-and-stop' | 'merge-with'
	>(),
	offers: (state, {agent}) => [
		...(contendersOf(state, agent).length === 0
			? [{choice: {verb: 'merge'}, label: 'Include in the result'} as const]
			: rivalOffers(state, agent)),
		...mergingOffers(state, agent),
		{choice: {verb: 'feedback'}, label: 'Send it back with your note', note: 'required'},
		ending(state, [agent], {
			choice: {verb: 'abort'},
			label: 'Drop from the result; its work is kept',
		}),
	],
	words: choice => (choice.verb === 'merge-with' ? `merge-with:${choice.agent}` : choice.verb),
	holdsUp: () => false,
	whyNot: (state, {agent}, {verb}) => {
		// What is brought back takes the work as it was.
		if (turning(state)?.built.agents.includes(agent)) {
			return whyTurning(state);
		}

		switch (verb) {
			case 'merge':
			case 'merge-with': {
				const open = whyRivalsOpen(state, agent);
				return (
					whyEnding(state, agent) ??
					(open && `${open} Wait for that, or choose merge-and-stop, which ends it.`)
				);
			}
			case 'merge-now':
			case 'merge-all':
				return (
					whyEnding(state, agent) ??
					whyRivalsOpen(state, agent) ??
					whyNotMergeNow(state, takenBy(state, agent, verb))
				);
			case 'merge-and-stop':
				return whyEnding(state, agent);
			case 'feedback':
			case 'abort':
				return undefined;
		}
	},
	whyNotWith: (state, {agent}, choice, supplied) => {
		switch (choice.verb) {
			case 'merge-with':
				return whyNotBring(state, agent, choice.agent, supplied);
			case 'merge':
			case 'merge-now':
			case 'merge-all':
			case 'merge-and-stop':
			case 'feedback':
			case 'abort':
				return undefined;
		}
	},
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
	decided: (state, item, choice, {note, files}) => {
		switch (choice.verb) {
			case 'merge':
			case 'merge-and-stop':
				return taken(state, item.agent, defined({files}));
			case 'merge-now':
			case 'merge-all':
				return withMergedNow(
					taken(state, item.agent, defined({files})),
					takenBy(state, item.agent, choice.verb),
				);
			case 'merge-with':
				return takenWith(state, item.agent, choice.agent, defined({note, files}));
			case 'feedback':
				// What failed when it was sent back before is tried again, or this feedback would never reach it.
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

/** Where nobody else is left to wait for, accepting it merges it anyway. */
const mergingOffers = (state: State, id: string): readonly Offer<ReviewChoice>[] => {
	const others = acceptedAgents(state).map(agent => agent.id);
	const offers: readonly Offer<ReviewChoice>[] = [
		{choice: {verb: 'merge-now'}, label: 'Merge it now, while the others go on'},
		{choice: {verb: 'merge-all'}, label: `Merge it now, together with ${enumerated(others)}`},
	];
	const aside = setAsideFor(state, id);
	return state.agents.every(agent => agent.id === id || isSettled(agent) || aside.includes(agent))
		? []
		: offers.slice(0, others.length === 0 ? 1 : 2).map(offer => settingAside(state, id, offer));
};

/** Whose work is merged by such a choice. */
const takenBy = (state: State, id: string, verb: 'merge-now' | 'merge-all'): readonly string[] =>
	verb === 'merge-now' ? [id] : [...acceptedAgents(state).map(one => one.id), id];

const whyEnding = (state: State, id: string): string | undefined =>
	agentOf(state, id)?.verdict.kind === 'cancelled' ? 'This agent is being ended.' : undefined;
