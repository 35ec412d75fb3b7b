import type {Body, BodyOf} from '../../events/event.ts';
import {commitTree} from '../../git/store/store.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import {outcomeCheckName} from '../../state/items/conflict/outcome-check.ts';
import {conflictWords} from '../../state/items/conflict/words.ts';
import type {State} from '../../state/state.ts';
import {checkTree} from '../merging/check-tree.ts';
import {fittedTree} from '../merging/fitted-tree.ts';
import {lookAtResult} from '../merging/look-at-result.ts';
import {requireSession} from '../require-session.ts';
import {conflictOf} from '../show/conflict-of.ts';
import {leftText} from '../show/preview.ts';
import {foreseen} from '../show/show-outcome.ts';
import type {World} from '../world.ts';

type CheckOutcome = Extract<Effect, {do: 'check-outcome'}>;

/** Looks at what a choice about a conflict would come to by all that has a say, and runs the plan's checks on it. */
export const checkOutcome = async (
	world: World,
	state: State,
	effect: CheckOutcome,
): Promise<readonly Body[]> => {
	const {conflict, choice, since} = effect;
	const result = await resultOf(world, state, effect).catch(asUnclear);
	const check = {conflict, choice: conflictWords(choice), since};
	return result === undefined ? [] : [{kind: 'outcome.checked', ...check, ...result}];
};

type OutcomeResult = Omit<BodyOf<'outcome.checked'>, 'kind' | 'conflict' | 'choice' | 'since'>;

/** What doesn't go together, or not into the person's checkout, can't be checked; anything else may go well the next time. */
const asUnclear = (error: unknown): OutcomeResult => {
	const {kind, message} = asFailure(error);
	if (kind !== 'refused') {
		throw error;
	}

	const nothing = {put: null, tree: null, commands: [], log: null, left: []} as const;
	return {...nothing, outcome: 'unclear', why: message};
};

const resultOf = async (
	world: World,
	state: State,
	{key, conflict, choice, since}: CheckOutcome,
): Promise<OutcomeResult | undefined> => {
	const item = conflictOf(state, conflict);
	const {decided, combination} = await foreseen(world, state, {item, choice});
	if (combination.kind === 'conflicts') {
		const [first] = combination.conflicts;
		throw new Failure(
			'refused',
			`${first?.path ?? 'Something'} still collides, which has to be decided first.`,
		);
	}

	const look = await world.checks.run(key, world.folder.scratch, signal =>
		lookAtResult(world, decided, combination, {signal}),
	);
	const session = requireSession(state);
	const tree = await fittedTree(world, state, combination.tree);
	const commit = await commitTree(world.store, {
		tree,
		parents: [session.tip],
		message: `What ${conflictWords(choice)} comes to\n`,
		at: session.startedAt,
	});
	const name = outcomeCheckName({since});
	const outcome =
		session.plan.verify.length === 0
			? {ok: true, commands: [], log: null, places: []}
			: await checkTree(world, session, {key, name, commit});
	if (look === undefined || outcome === undefined) {
		return undefined;
	}

	const {ok, commands, log, places} = outcome;
	return {
		...{put: combination.tree, tree, commands, log, left: look.open.map(leftText)},
		outcome: ok ? 'green' : 'red',
		...(places.length === 0 ? {} : {places}),
	};
};
