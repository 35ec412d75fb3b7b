import {expect, test} from 'vitest';
import {killedCode} from '../../../src/git/process/result.ts';
import {moveFiles} from '../../../src/git/target/move-checkout.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {filesBelow} from '../../helpers/repository.ts';
import {checkoutOf, makeCutOff, stage} from './interrupted-world.ts';

/** The files after which git is killed: the first one, the last one, and some between. */
const files = [1, 4, 8, 12];

test('a git that is killed on the way back is told, and leaves what the next try takes back', async () => {
	const shuttle = await makeCutOff();
	const {root, from, to, before, killAt, clear} = shuttle;
	const old = filesBelow(root);
	for (const file of files) {
		await stage(shuttle);
		const fresh = filesBelow(root);
		killAt(file);
		const {code} = await moveFiles(checkoutOf(shuttle), {...shuttle, from: to, to: from});
		expect(code, `file ${file}`).toBe(killedCode);
		expect([old, fresh], `file ${file}`).not.toContainEqual(filesBelow(root));
		expect(await clear(), `file ${file}`).toBeUndefined();
		expect(pictureOf(root), `file ${file}`).toBe(before);
	}

	await stage(shuttle);
	killAt(1);
	expect((await clear())?.cause).toBe('cut-off');
	expect(await clear()).toBeUndefined();
	expect(pictureOf(root)).toBe(before);
});
