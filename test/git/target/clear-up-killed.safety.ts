import {expect, test} from 'vitest';
import {pictureOf} from '../../helpers/kill-points.ts';
import {filesBelow} from '../../helpers/repository.ts';
import {makeInterrupted, stage} from './interrupted-world.ts';

/** The files after which git is killed: the first one, the last one, and some between. */
const files = [1, 4, 8, 12];

test('a git that is killed on the way back is told, and leaves what the next try takes back', async () => {
	const shuttle = await makeInterrupted();
	const {root, before, begin, hold, killAt, clear} = shuttle;
	const old = filesBelow(root);
	for (const file of files) {
		await begin();
		stage(shuttle);
		await hold();
		const fresh = filesBelow(root);
		killAt(file);
		expect((await clear())?.cause, `file ${file}`).toBe('interrupted');
		expect([old, fresh], `file ${file}`).not.toContainEqual(filesBelow(root));
		expect(await clear(), `file ${file}`).toBeUndefined();
		expect(pictureOf(root), `file ${file}`).toBe(before);
	}
});
