import {combine} from '../../conflicts/combine.ts';
import {copyBorrowed} from '../../git/store/copy-borrowed.ts';
import {pin} from '../../git/store/store.ts';
import {Failure} from '../../lib/failure.ts';
import {resolutionsAmong} from '../../state/merge/members.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {selected} from '../picking/select-work.ts';
import {requireSession, type Works, type World} from '../world.ts';

/**
Returns the commit that an agent is to build on: a tip with other agents' work on it. It is held for as long as the session is.

@throws `Failure` of kind `refused` when that work collides with itself or with the tip.
*/
export const startingCommit = async (
	world: World,
	state: State,
	onto: readonly string[],
	tip: string,
): Promise<string> => {
	const base = await putUnder(world, state, onto, tip);
	if (base !== requireSession(state).base) {
		await holdCommit(world, state, 'base', base);
	}

	return base;
};

/** Returns those whose work is not in the target, by a merge of this session, and still in the session. */
export const unmerged = (state: State, ids: readonly string[]): readonly string[] =>
	ids.filter(id => {
		const at = agentOf(state, id)?.state;
		return at !== 'ABORTED' && at !== 'MERGED';
	});

/**
Returns a commit with other agents' work on a tip, and nothing else that was decided about other work.

@throws `Failure` of kind `refused` when that work collides with itself or with the tip.
*/
export const putUnder = async (
	works: Works,
	state: State,
	onto: readonly string[],
	tip: string,
): Promise<string> => {
	const {base, startedAt} = requireSession(state);
	const inputs = await selected(works, state, unmerged(state, onto));
	if (inputs.length === 0) {
		return tip;
	}

	const combination = await combine(works.store, {
		tip,
		base,
		inputs,
		resolutions: resolutionsAmong(state.resolutions, onto),
		at: startedAt,
	});
	if (combination.kind === 'clean') {
		return combination.commit;
	}

	const [summary = ''] = combination.conflicts.map(conflict => conflict.summary);
	throw new Failure('refused', `${onto.join(' and ')} can’t be combined: ${summary}`);
};

/**
Pins a commit that a session relies on, and has the store keep all that it brings beyond the session's base.

In the person's repository only that base is kept alive. A commit of theirs that work is put on, or a file that one of their filters made, may be amended away and collected there the next minute.
*/
export const holdCommit = async (
	{store, session}: Pick<World, 'store' | 'session'>,
	state: State,
	what: 'base' | 'result',
	oid: string,
): Promise<void> => {
	const {base} = requireSession(state);
	await copyBorrowed(store, {of: [oid], beyond: [base], isLenient: true});
	await pin(store, {ref: `refs/delegate/${session}/${what}/${oid}`, oid});
};
