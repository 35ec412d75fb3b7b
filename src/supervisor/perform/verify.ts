import {createHash} from 'node:crypto';
import {mkdir, readFile} from 'node:fs/promises';
import {dirname, relative} from 'node:path';
import type {Body, LogFile} from '../../events/event.ts';
import {checkoutTree, removeCheckout} from '../../git/checkout-tree.ts';
import type {Effect} from '../../rules/effect.ts';
import type {State} from '../../state/state.ts';
import {runCommands} from '../shell.ts';
import {shellEnvironment} from '../shell-environment.ts';
import type {World} from '../world.ts';
import {copyIgnored, requireSession} from './prepare.ts';

type Verify = Extract<Effect, {do: 'verify'}>;

/**
Runs the plan's checks on the built result, in a worktree of its own.

The commands are the plan's, which a person approved, and not anything that the result brings.
*/
export const verify = async (
	world: World,
	state: State,
	{commit, tree}: Verify,
): Promise<readonly Body[]> => {
	const {plan} = requireSession(state);
	const ended = {kind: 'verify.ended' as const, commit, tree};
	if (plan.verify.length === 0) {
		return [{...ended, ok: true, commands: [], log: null}];
	}

	const {path, log} = world.folder.verify(state.seq);
	await mkdir(dirname(log), {recursive: true});
	await removeCheckout(path);
	const checkout = await checkoutTree(world.store, {
		repository: world.repository,
		commit,
		folder: path,
	});
	await copyIgnored(world, plan.copy, checkout.tree);
	const outcome = await runCommands([...plan.setup, ...plan.verify], {
		cwd: checkout.tree,
		env: shellEnvironment(process.env, world.session),
		log,
	});
	await removeCheckout(path);
	return [{...ended, ...outcome, log: await describe(world, log)}];
};

const describe = async (world: World, log: string): Promise<LogFile> => {
	const content = await readFile(log);
	return {
		path: relative(world.folder.path, log),
		bytes: content.length,
		sha256: createHash('sha256').update(content).digest('hex'),
	};
};
