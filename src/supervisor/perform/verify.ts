import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, readdir} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import type {Body, LogFile} from '../../events/event.ts';
import {checkoutTree, removeCheckout} from '../../git/store/checkout-tree.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import type {Session, State} from '../../state/state.ts';
import {runCommands, type ShellOutcome} from '../machine/shell.ts';
import {shellEnvironment} from '../machine/shell-environment.ts';
import {reportSurvivors} from '../machine/survivors.ts';
import {requireSession} from '../require-session.ts';
import {copyFromCheckout} from '../worktree/copy-from-checkout.ts';
import type {World} from '../world.ts';

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
	const session = requireSession(state);
	const ended = {kind: 'verify.ended' as const, commit, tree};
	if (session.plan.verify.length === 0) {
		return [{...ended, ok: true, commands: [], log: null}];
	}

	// One at a time: what the others left may be removed then, and checks don't get in each other's way.
	return world.serially('verify', async () => {
		const {path, log} = world.folder.verify(state.seq);
		await mkdir(dirname(log), {recursive: true});
		await removeChecks(world);
		try {
			const outcome = await check(world, session, commit, {path, log});
			return [{...ended, ...outcome, log: await describe(world, log)}];
		} finally {
			await removeCheckout(path);
		}
	});
};

/**
Removes the worktrees of checks that no supervisor runs any more; the logs stay.

One that was killed while it checked left its worktree behind. What is in it is the result that was checked, and what the checks made.
*/
export const removeChecks = async ({folder: {checks: folder}}: World): Promise<void> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const left = entries.filter(entry => entry.isDirectory());
	await Promise.all(left.map(({name}) => removeCheckout(join(folder, name))));
};

const check = async (
	world: World,
	session: Session,
	commit: string,
	{path, log}: {readonly path: string; readonly log: string},
): Promise<Omit<ShellOutcome, 'survivors'>> => {
	const checkout = await checkoutTree(world.store, {
		repository: world.repository,
		commit,
		folder: path,
	});
	await copyFromCheckout(session, checkout.tree);
	const {survivors, ...outcome} = await runCommands(
		[...session.plan.setup, ...session.plan.verify],
		{
			cwd: checkout.tree,
			...shellEnvironment(process.env, world.session, `verify/${commit}`),
			containment: world.containment,
			freezer: world.freezer,
			log,
		},
	);
	reportSurvivors(world, null, survivors);
	return outcome;
};

const describe = async (world: World, log: string): Promise<LogFile> => {
	const hash = createHash('sha256');
	let bytes = 0;
	for await (const chunk of createReadStream(log)) {
		hash.update(chunk);
		bytes += chunk.length;
	}

	return {path: relative(world.folder.path, log), bytes, sha256: hash.digest('hex')};
};
