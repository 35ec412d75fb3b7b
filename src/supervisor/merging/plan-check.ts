import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {ownCheck, type RunCheck} from '../../conflicts/oracle/command/own-check.ts';
import type {OraclePlugin} from '../../conflicts/oracle/oracle.ts';
import {survivingCheckout} from '../../git/repository/surviving-checkout.ts';
import {checkoutTree, removeCheckout} from '../../git/store/checkout-tree.ts';
import {Failure} from '../../lib/failure.ts';
import {runForSession} from '../machine/run-for-session.ts';
import {requireSession} from '../require-session.ts';
import {copyFromCheckout} from '../worktree/copy-from-checkout.ts';
import type {World} from '../world.ts';
import {readLogEnd} from './read-log-end.ts';

/**
Makes the plan's own check a checker of agents' work, before and after it is put together.

Its commands are those that a person approved with the plan. What they run of a tree may be an agent's, so each tree is checked out apart, for the check alone, in the environment in which `verify` runs.

@param world Asked for when a tree is to be checked, since the checkers are a part of it.
*/
export const planCheck = (world: () => World): OraclePlugin =>
	ownCheck({
		commands: () => requireSession(world().state()).plan.check ?? [],
		run: runIn(world),
		patienceMs: 600_000,
	});

const runIn = (world: () => World): RunCheck => {
	let count = 0;
	return async (commit, signal) => {
		count += 1;
		const folder = join(world().folder.scratch, `${count}`);
		await mkdir(world().folder.scratch, {recursive: true});
		try {
			return await runOn(world(), {commit, folder, count, signal});
		} finally {
			await removeCheckout(folder);
		}
	};
};

type Run = {
	readonly commit: string;
	readonly folder: string;
	readonly count: number;
	readonly signal: AbortSignal;
};

/** Each command runs to its end, whatever another one said: what one finds must not hide what the next one would. */
const runOn = async (world: World, {commit, folder, count, signal}: Run) => {
	const session = requireSession(world.state());
	const {setup, check = []} = session.plan;
	const repository = await survivingCheckout(world.repository);
	const {tree} = await checkoutTree(world.store, {repository, commit, folder});
	await copyFromCheckout(session, tree);
	const run = (commands: readonly string[], log: string) =>
		runForSession(world, commands, {cwd: tree, purpose: ['check', count], log, signal});
	const before = await run(setup, join(folder, 'setup.log'));
	if (!before.ok) {
		const {command} = before.commands.at(-1) ?? {};
		throw new Failure('refused', `\`${command}\`, which comes before it, failed.`);
	}

	const log = join(folder, 'check.log');
	let isGreen = true;
	for (const command of check) {
		const {ok} = await run([command], log);
		isGreen &&= ok;
	}

	const output = (await readLogEnd(log)).replaceAll(`${tree}/`, '');
	return {ok: isGreen, output};
};
