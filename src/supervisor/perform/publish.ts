import type {Body} from '../../events/event.ts';
import type {PublishedResult} from '../../events/kinds/merge-event.ts';
import {tipOf} from '../../git/repository/repository.ts';
import {moveTarget} from '../../git/target/move-target.ts';
import {defined} from '../../lib/values.ts';
import type {EffectOf} from '../../rules/effects/effect.ts';
import type {Verified} from '../../state/merge/merge.ts';
import {createsTarget} from '../../state/merge/publication.ts';
import {waiting} from '../machine/survivors.ts';
import {settingsRefusal} from '../merging/git-settings.ts';
import {namePaths} from '../show/show-side.ts';
import {requireSession, type World} from '../world.ts';

/**
Moves the target to the approved commit, or returns the obstacle in the person's repository.

An operation that held the target before may have made the approval void, so the state at this operation's turn decides.
*/
export const publish = (world: World, effect: EffectOf<'publish'>): Promise<readonly Body[]> =>
	world.serially('target', () => publishNow(world, effect));

const publishNow = async (
	world: World,
	{commit, from}: EffectOf<'publish'>,
): Promise<readonly Body[]> => {
	const state = world.state();
	const {merge} = state;
	const {target} = requireSession(state);
	if (merge.phase !== 'intended' || merge.built.commit !== commit) {
		return [];
	}

	const refusal = await settingsRefusal(world, state, merge.built);
	if (refusal !== undefined) {
		return [refusal];
	}

	const outcome = await moveTarget(world.repository, {
		what: 'merge',
		target,
		from,
		to: commit,
		creates: createsTarget(state, from),
		store: world.store,
		patience: {onWait: wait => world.report(waiting(wait))},
	});
	if (outcome.moved) {
		const {built, verified} = merge;
		return [
			{
				...{kind: 'merge.published', commit, from, agents: built.agents},
				...{tree: built.tree, checked: checkedAs(verified), ...defined({leftOut: built.leftOut})},
			},
		];
	}

	const {cause, hint, paths = []} = outcome;
	const message = namePaths(outcome.message, paths);
	const refused: Body = {kind: 'merge.refused', commit, cause, message, hint};
	const tip = await tipOf(world.repository, target);
	return cause === 'target-moved' && tip !== undefined
		? [{kind: 'target.moved', from, to: tip}, refused]
		: [refused];
};

const checkedAs = ({ok, commands}: Verified): PublishedResult['checked'] => {
	if (commands.length === 0) {
		return 'not';
	}

	return ok ? 'passed' : 'failed';
};
