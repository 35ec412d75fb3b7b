import type {Sandbox} from '../../events/kinds/machine-event.ts';
import type {AcceptedBreakage, Looked} from '../../events/kinds/merge-event.ts';
import {counted, shortOid} from '../../lib/text/words.ts';
import {defined, isSame} from '../../lib/values.ts';
import {hasLeftOut} from '../agent/work-notes.ts';
import type {ApprovalItem, ItemOf} from '../item.ts';
import {portsText} from '../merge/checked-result.ts';
import {membersOf, withoutText} from '../merge/members.ts';
import type {Merge} from '../merge/merge.ts';
import {createsTarget, voidMerge, whyTurning} from '../merge/publication.ts';
import {reopened} from '../rivals/rivals.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import {itemKind} from './kind.ts';
import {type ResultDetail, resultDetail} from './work-detail.ts';

export type ApprovalDetail = Pick<ApprovalItem, 'commit' | 'tree' | 'tip' | 'refused' | 'doubted'> &
	Partial<ResultDetail> & {
		readonly target: string | undefined;
		/** File protection of the current supervisor. */
		readonly sandbox?: Sandbox;
		/** Target's tip at the start of the session. */
		readonly base: string | undefined;
	};

export type ApprovalChoice = {readonly verb: 'approve' | 'reword' | 'types' | 'reject'};

export const approval = itemKind<'approval', ApprovalChoice, ApprovalDetail>({
	choices: {
		approve: {
			offer: {label: 'Merge exactly this result'},
			whyNot: state => whyTurning(state),
			whyNotWith: ({session}, {tip}, {seen}) =>
				seen?.tip === undefined || seen.tip === tip
					? undefined
					: `${session?.target} has moved since this result was built; it is being rebuilt.`,
			staysOpen: ({doubts}) => doubts !== undefined,
			decided: (state, item, {doubts}) => {
				if (doubts !== undefined) {
					const items = state.items.map(one =>
						one.id === item.id ? {...item, doubted: doubts} : one,
					);
					return {...state, items};
				}

				// If the result is no longer there, another one is built.
				return state.merge.phase === 'verified'
					? approved(state, state.merge, item)
					: voidMerge(state, []);
			},
		},
		reword: {
			offer: ({merge}) =>
				'built' in merge && merge.built.message !== undefined
					? {label: 'Write its commit message', note: 'required', wants: 'what the commit says'}
					: undefined,
			decided: (state, _, {note = ''}) =>
				'built' in state.merge
					? voidMerge(
							{...state, message: {agents: state.merge.built.agents, text: `${note.trim()}\n`}},
							[],
						)
					: state,
		},
		types: {
			offer: ({merge, allTypesOf}) =>
				'built' in merge &&
				areTypesUnchecked(merge.built.looked) &&
				!isSame(allTypesOf, merge.built.agents)
					? {label: 'Check the types beyond the limit, which may take half an hour'}
					: undefined,
			decided: state =>
				'built' in state.merge
					? voidMerge({...state, allTypesOf: state.merge.built.agents}, [])
					: state,
		},
		reject: {
			offer: {label: 'Back to the reviews'},
			decided: state =>
				state.merge.phase === 'verified'
					? rejected({...state, message: null, allTypesOf: null})
					: voidMerge(state, []),
		},
	},
	holdsUp: () => false,
	called: 'a result to approve',
	title: (state, {refused}) => {
		const title = titleOf(state);
		return refused === undefined || state.merge.phase !== 'verified'
			? title
			: `${title}. The last try was refused: ${refused.message}`;
	},
	detail: (state, {commit, tree, tip, refused, doubted}) => ({
		commit,
		tree,
		target: state.session?.target,
		tip,
		base: state.session?.base,
		...(state.sandbox === null ? {} : {sandbox: state.sandbox}),
		...resultDetail(state),
		...defined({refused, doubted}),
	}),
});

const titleOf = (state: State): string => {
	const {merge, session} = state;
	if (merge.phase !== 'verified') {
		return 'Merge the result';
	}

	const {agents, files, tip} = merge.built;
	const isNew = createsTarget(state, tip);
	const target = `${session?.target ?? ''}${isNew ? `, a new branch at ${shortOid(tip)}` : ''}`;
	const tested = session?.plan.verify.length
		? merge.verified.ok
			? `checked${portsText(merge.verified)}`
			: 'its check FAILED'
		: 'not checked, since the plan has no verify command';
	const accepted = merge.built.accepted ?? [];
	const without = withoutText(merge.built.leftOut);
	const broken = accepted.length === 0 ? '' : `, accepted although ${whatBreaks(accepted)}`;
	return files === 0
		? `Merge ${agents.join(', ')} into ${target}: nothing to merge, ${whyNothing(state, agents)} (${tested}${without})`
		: `Merge ${agents.join(', ')} into ${target} (${counted(files, 'file')}, ${tested}${broken}${without})`;
};

const areTypesUnchecked = (looked: Looked | undefined): boolean =>
	looked?.outcome === 'compared' && looked.oracles.some(({isOverBudget}) => isOverBudget);

const whatBreaks = (accepted: readonly AcceptedBreakage[]): string => {
	const pathsOf = (all: typeof accepted) => [...new Set(all.map(({path}) => path))];
	const broken = pathsOf(accepted.filter(({rule}) => rule !== 'F2'));
	const shared = pathsOf(accepted.filter(({rule}) => rule === 'F2'));
	return [
		...(broken.length === 0
			? []
			: [`${broken.join(' and ')} ${broken.length === 1 ? 'breaks' : 'break'}`]),
		...(shared.length === 0 ? [] : [`both sides changed ${shared.join(' and ')}`]),
	].join(' and ');
};

const whyNothing = (state: State, agents: readonly string[]): string => {
	const {merge} = state;
	const lost = 'built' in merge ? (merge.built.leftOut ?? []).flatMap(({of}) => of) : [];
	const leavers = agents.filter(id => {
		const agent = agentOf(state, id);
		return agent !== undefined && (hasLeftOut(agent) || lost.includes(id));
	});
	return leavers.length === 0
		? 'it is all there already'
		: `although part of the work of ${leavers.join(', ')} is not in it`;
};

/** Approves a result, and accepts the git settings that were shown with it. */
const approved = (
	state: State,
	{built, verified}: Extract<Merge, {phase: 'verified'}>,
	{id}: ItemOf<'approval'>,
): State => ({
	...state,
	agreedSettings: built.gitSettings.digest,
	merge: {phase: 'approved', built, verified, approval: id},
});

/** Rejects a result: the work of all its agents is reviewed again. */
const rejected = (state: State): State =>
	state.agents
		.filter(({id}) => membersOf(state.merge).includes(id))
		.reduce(
			(open, agent) => reopened(open, agent, 'a person rejected the merged result'),
			voidMerge(state, []),
		);
