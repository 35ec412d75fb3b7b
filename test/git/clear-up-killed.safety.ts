import {expect, test} from 'vitest';
import {moveFiles} from '../../src/git/target/move-checkout.ts';
import {installKillableGit, pictureOf, untilStruck, whileKilled} from '../helpers/kill-points.ts';
import {checkoutOf, makeCutOff, stage} from './cut-off-world.ts';

test('a git that is killed on the way back is told, and leaves what the next try takes back', async () => {
	installKillableGit();
	const shuttle = await makeCutOff();
	const {root, before, clear} = shuttle;
	await stage(shuttle);
	const staged = performance.now();
	expect(await clear()).toBeUndefined();
	const longest = performance.now() - staged;
	let between = 0;
	for (const share of [0.2, 0.35, 0.5, 0.65, 0.8]) {
		await stage(shuttle);
		const full = pictureOf(root);
		const isStruck = await untilStruck(
			'checkout',
			share * longest,
			() => moveFiles(checkoutOf(shuttle), {...shuttle, from: shuttle.to, to: shuttle.from}),
			() => stage(shuttle),
		);
		expect(isStruck).toBe(true);
		between += [before, full].includes(pictureOf(root)) ? 0 : 1;
		expect(await clear()).toBeUndefined();
		expect(pictureOf(root)).toBe(before);
	}

	expect(between).toBeGreaterThan(0);

	await stage(shuttle);
	const {value, isStruck} = await whileKilled('checkout', 0, clear);
	expect([value?.cause, isStruck]).toEqual(['cut-off', true]);
	expect(await clear()).toBeUndefined();
	expect(pictureOf(root)).toBe(before);
});
