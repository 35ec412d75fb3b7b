import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {projectAt} from '../helpers/project.ts';
import {tell, times} from './figures.ts';
import {makeBusyProject, playScene, type Scene} from './scenes.ts';
import {canMount, mountDisk, type SmallDisk} from './small-disk.ts';
import {usualChoice} from './usual-choice.ts';
import type {WholeSession} from './whole-session.ts';

const what = 'full disks: decisions with room for 0 to 6 pages';

/** An agent that asks six questions: with its review and the approval a person decides eight times, and again where a full disk made something fail. */
const decisions = 8;

const scene: Scene = {
	plan: () => ({agents: [agent('asks-much.sh', ['src/sum.txt', '6'])]}),
	written: ['8080 8080 8080 8080 8080 8080\n'],
	merged: {'src/sum.txt': '8080 8080 8080 8080 8080 8080'},
};

/** With room for more than that most decisions are carried out, and nobody has to be told. */
const rooms = [0, 1, 2, 3, 4, 5].flatMap(pages =>
	Array.from({length: times({part: 1, deep: 2})}, (_, first) => ({pages, first})),
);

test.runIf(canMount).each(rooms)(
	'a disk that is full at every decision, but for $pages pages or one more, loses nothing: $first',
	async ({pages, first}) => {
		const disk = await mountDisk();
		const project = projectAt(makeBusyProject().root, {aside: disk.folder});
		const filler = fillerOf(disk, number => pages + ((number + first) % 2));
		await playScene(scene, {
			project,
			choose: async (item, {waits}) => {
				await filler.fill(item.id, waits.state().seq);
				return usualChoice(item);
			},
			disturb: session =>
				filler.look(session, async () => {
					const {stdout, stderr} = await project.run('status');
					return stdout + stderr;
				}),
		});
		expect(filler.filled()).toBeGreaterThanOrEqual(decisions);
		expect(filler.told()).toBeGreaterThan(0);
		tell('J, A, U, H, P', what, filler.filled());
	},
);

test.runIf(!canMount)('a disk can’t be filled here, as nothing may be mounted', () => {
	tell('J, A, U, H, P', `${what} (skipped: this machine lets us mount none)`, 0);
});

/** Fills the disk at each item once, and makes room again when a person was told that there is none. */
const fillerOf = (disk: SmallDisk, pagesAt: (number: number) => number) => {
	const items = new Set<string>();
	let since: number | undefined;
	let told = 0;
	return {
		told: () => told,
		filled: () => items.size,
		fill: async (item: string, seq: number): Promise<void> => {
			if (!items.has(item)) {
				await disk.leave(pagesAt(items.size));
				items.add(item);
				since = seq;
			}
		},
		look: async (session: WholeSession, status: () => Promise<string>): Promise<void> => {
			if (since === undefined) {
				return;
			}

			if (!session.isSupervised()) {
				// Nobody goes on with it; if there is no room to go on, somebody who asks is told.
				const words = await status();
				expect(words).toMatch(/full|space|ACTIVE|MERGING|COMPLETE/);
				told += /full|space/.test(words) ? 1 : 0;
			} else if (isToldIn(session, since)) {
				told++;
			} else {
				return;
			}

			await disk.free();
			since = undefined;
		},
	};
};

/** Whether the journal says that there is no room, or has said so and nothing else since. */
const isToldIn = ({waits}: WholeSession, since: number): boolean =>
	waits.state().disk?.level === 'full' ||
	[
		...waits.events('effect.failed').filter(({message}) => /full|space/i.test(message)),
		...waits.events('machine.disk').filter(({level}) => level === 'full'),
	].some(({seq}) => seq > since);
