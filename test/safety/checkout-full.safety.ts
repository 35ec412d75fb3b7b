import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {tell, times} from './figures.ts';
import {expectMineUntouched, lookBefore} from './promises.ts';
import {makeBusyProject, playScene, type Scene} from './scenes.ts';
import {canMount, mountDisk, type SmallDisk} from './small-disk.ts';
import {usualChoice} from './usual-choice.ts';
import type {WholeSession} from './whole-session.ts';

const what = 'full disks: publications into a checkout with room for 0 to 23 pages';

const paths = Array.from({length: 12}, (_, n) => `src/${n}.txt`);

/** A merge that writes a dozen files, which is what a full disk cuts short. */
const scene: Scene = {
	plan: () => ({
		agents: [
			agent(
				'edits.sh',
				paths.flatMap(path => [path, `line of ${path}`]),
			),
		],
	}),
	written: paths.map(path => `line of ${path}\n`),
	merged: Object.fromEntries(paths.map(path => [path, `line of ${path}`])),
};

/** The whole merge takes some sixteen pages. */
const rooms = Array.from({length: times({part: 5, deep: 24})}, (_, index) =>
	times({part: 4 * index, deep: index}),
);
const tooFewPages = 12;

test.runIf(canMount).each(rooms)(
	'a checkout on a disk with room for %i pages is left as it was, or gets the whole merge',
	async pages => {
		const disk = await mountDisk();
		const filler = fillerOf(disk, pages);
		const project = makeBusyProject(disk.folder);
		const before = lookBefore(project.root);
		await playScene(scene, {
			project,
			choose: async (item, session) => {
				if (item.kind === 'approval') {
					await filler.fillOnce(session);
				}

				return usualChoice(item);
			},
			disturb: async session => {
				if (await filler.isRefused(session)) {
					expectMineUntouched({project, before, merged: {}});
				}
			},
		});
		const short = new RegExp(`the disk of ${disk.folder}\\S* is full .* left\\)`);
		expect(filler.told().filter(words => !short.test(words))).toEqual([]);
		expect(filler.told().length).toBeGreaterThanOrEqual(pages < tooFewPages ? 1 : 0);
		tell('A, U', what, 1);
	},
);

test.runIf(!canMount)('a checkout’s disk can’t be filled here, as nothing may be mounted', () => {
	tell('A, U', `${what} (skipped: this machine lets us mount none)`, 0);
});

/** Fills the disk before the first approval, and makes room again once the try was refused. */
const fillerOf = (disk: SmallDisk, pages: number) => {
	let since: number | undefined;
	let told: readonly string[] = [];
	return {
		told: () => told,
		fillOnce: async ({waits}: WholeSession): Promise<void> => {
			if (since === undefined) {
				since = waits.state().seq;
				await disk.leave(pages);
			}
		},
		/** Whether the try has just come to nothing; there is room again then. */
		isRefused: async ({waits}: WholeSession): Promise<boolean> => {
			const refusals = [...waits.events('merge.refused'), ...waits.events('effect.failed')];
			if (since === undefined || told.length > 0 || refusals.length === 0) {
				return false;
			}

			told = refusals.map(({message}) => message);
			await disk.free();
			return true;
		},
	};
};
