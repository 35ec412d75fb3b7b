import {withOwnFolders} from '../questions/own-folders.ts';
import type {World} from '../world.ts';
import {runCommands, type ShellOutcome} from './shell.ts';
import {shellEnvironment} from './shell-environment.ts';
import {reportSurvivors} from './survivors.ts';

type Parts = {
	readonly cwd: string;
	readonly log: string;
	/** What they are run for, and which time: `verify/12`. */
	readonly purpose: readonly [what: string, name: number | string];
	/** Whose worktree they run in, if it is one's own: they get its environment and its folders of questions. */
	readonly agent?: string;
	readonly signal?: AbortSignal;
};

/** What became of them; what they left running is told already. */
export type SessionOutcome = Omit<ShellOutcome, 'survivors'>;

/** Runs commands that a person approved on what agents wrote: held together, frozen with the session, and without what is withheld from agents. */
export const runForSession = async (
	world: World,
	commands: readonly string[],
	{purpose: [what, name], agent, ...parts}: Parts,
): Promise<SessionOutcome> => {
	const {env, mark} = shellEnvironment(process.env, world.session, `${what}/${name}`);
	const {survivors, ...outcome} = await runCommands(commands, {
		...parts,
		env: agent === undefined ? env : {...env, ...world.environments.get(agent)},
		mark,
		containment: await withOwnFolders(world, agent ?? what),
		freezer: world.freezer,
	});
	reportSurvivors(world, agent ?? null, survivors);
	return outcome;
};
