import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isAlive} from '../../src/lib/process/processes.ts';
import {fromSeeds} from '../helpers/kept-seeds.ts';
import type {KillingGit} from '../helpers/killing-git.ts';
import {agent} from '../helpers/plan-file.ts';
import type {Project} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {openProgram, type TestTerminal} from '../helpers/terminal.ts';
import {drawFrom} from './chance.ts';
import {seed, tell, times} from './figures.ts';
import {makeKillingGitProject} from './killing-git-project.ts';
import type {Draw} from './power.ts';
import {playScene, type Scene} from './scenes.ts';
import {usualChoice} from './usual-choice.ts';
import type {WholeSession} from './whole-session.ts';

/** In the order in which they are killed where it is at once: the supervisor takes others along. */
const victims = ['git', 'screen', 'agent', 'supervisor'] as const;
type Victim = (typeof victims)[number];

/** How many decisions have something killed before them; the agent that asks makes for more. */
const moments = 4;

/** An agent that asks six questions, and one that works until there is a sign. */
const sceneWith = (sign: string): Scene => ({
	plan: () => ({
		agents: [
			agent('asks-much.sh', ['src/sum.txt', '6']),
			agent('waits-for.sh', ['src/done.txt', sign]),
		],
	}),
	written: ['8080 8080 8080 8080 8080 8080\n', 'done\n'],
	merged: {'src/done.txt': 'done', 'src/sum.txt': '8080 8080 8080 8080 8080 8080'},
});

/** Draws before which decision each is killed. */
const drawKills = (draw: Draw): ReadonlyMap<number, readonly Victim[]> =>
	Map.groupBy(victims, () => draw(moments));

const rounds = Array.from({length: times({part: 5, deep: 40})}, (_, round) => round);

test.each(rounds)(
	'a supervisor, an agent, a git and a screen that are killed in one session lose nothing: round %i',
	async round => {
		await fromSeeds('kills together', 1000 * seed + round, async from => {
			const draw = drawFrom(from);
			const kills = drawKills(draw);
			const {git, project} = makeKillingGitProject();
			const sign = join(temporaryFolder(), 'sign');
			const seen = new Set<string>();
			const killed: Victim[] = [];
			await playScene(sceneWith(sign), {
				project,
				choose: async (item, session) => {
					const moment = seen.size;
					const isNew = !seen.has(item.id);
					seen.add(item.id);
					for (const victim of isNew ? (kills.get(moment) ?? []) : []) {
						await kill(victim, {session, project, git, item: item.id, afterMs: draw(4)});
						killed.push(victim);
					}

					if (killed.length === victims.length) {
						writeFileSync(sign, '');
					}

					return usualChoice(item);
				},
			});
			expect(killed.toSorted()).toEqual(victims.toSorted());
			expect(git.struck(), 'a git died').toBeGreaterThan(0);
		});
		tell('J, A, U, H, P', 'real kills of all four in one session, in an order that is drawn', 4);
	},
);

type Scenery = {
	readonly session: WholeSession;
	readonly project: Project;
	readonly git: KillingGit;
	readonly item: string;
	readonly afterMs: number;
};

/** Kills one that surely lives; of gits it is the next one that lives long enough. */
const kill = async (
	victim: Victim,
	{session: {waits}, project, git, item, afterMs}: Scenery,
): Promise<void> => {
	switch (victim) {
		case 'supervisor': {
			const pid = waits.events('supervisor.started').at(-1)?.pid;
			process.kill(pid ?? Number.NaN, 'SIGKILL');
			break;
		}

		case 'agent': {
			// One that died with its supervisor is there again as soon as it is started over.
			const {pid} = await waits.until('the agent that waits', () => {
				const started = waits.events('turn.started').findLast(one => one.agent === 'AGT-002');
				return started !== undefined && isAlive(started) ? started : undefined;
			});
			process.kill(pid, 'SIGKILL');
			break;
		}

		case 'git':
			git.arm(undefined, afterMs);
			break;
		case 'screen': {
			using screen = await openScreenAt(item, {project, git});
			process.kill(screen.process.pid, 'SIGKILL');
			await screen.exited;
			break;
		}
	}
};

/** Opens a screen that shows an item, once more where the git that was to die was one that the screen itself had started. */
const openScreenAt = async (
	item: string,
	{project, git}: Pick<Scenery, 'project' | 'git'>,
): Promise<TestTerminal> => {
	const screen = openProgram(project);
	try {
		await screen.until(item);
		return screen;
	} catch (error) {
		screen[Symbol.dispose]();
		if (git.struck() === 0) {
			throw error;
		}
	}

	const again = openProgram(project);
	await again.until(item);
	return again;
};
