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
Returns the commit from which an agent starts: a tip with other agents' work on it. The store keeps it as long as the session.

@throws `Failure` of kind `refused` when that work conflicts with itself or with the tip
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

/** Returns the agents whose work this session hasn't merged and that are still in the session. */
export const unmerged = (state: State, ids: readonly string[]): readonly string[] =>
	ids.filter(id => {
		const at = agentOf(state, id)?.state;
		return at !== 'ABORTED' && at !== 'MERGED';
	});

/**
Returns a commit with other agents' work on a tip, without decisions about any other work.

@throws `Failure` of kind `refused` when that work conflicts with itself or with the tip
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
Pins a commit that a session needs, and copies the objects that it adds to the session's base into the store.

The person's repository keeps only that base alive. Git may collect a commit of theirs at any time once they amend it, and the output of a filter likewise.
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
