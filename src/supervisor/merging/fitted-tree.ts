import {changes} from '../../git/tree/changes.ts';
import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {World} from '../world.ts';
import {fitResult} from './fit-result.ts';
import {blockedBySettings, seeSettings} from './git-settings.ts';

/**
Returns a tree as the person's filters take it in, so that a check sees of it what it sees of a result.

@throws `Failure` of kind `refused` where their git settings have changed, so that no filter may run.
*/
export const fittedTree = async (world: World, state: State, tree: string): Promise<string> => {
	const {tip} = requireSession(state);
	const incoming = {tip, tree, changes: await changes(world.store, tip, tree)};
	const held = await blockedBySettings(world, state, await seeSettings(world, state), incoming);
	if (held !== undefined) {
		throw new Failure('refused', 'Your git settings changed since the result was put together.');
	}

	return (await fitResult(world, incoming)).tree;
};
