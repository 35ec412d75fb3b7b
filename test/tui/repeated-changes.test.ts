import {describe, expect, test} from 'vitest';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {expectToFit} from './a-frame.ts';
import {
	adding,
	large,
	listed,
	openAt,
	resourcesOf,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const repeats = Array.from({length: 4000}, (_, number) =>
	listed(`src/part${number % 40}/file${number}.ts`, {shown: false, like: 'src/a.js'}),
);

const atReview = async (size = large): Promise<TestScreen> => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {size});
	screen.learn({resources: resourcesOf(screen.context(), adding(2), repeats)});
	return screen;
};

const rowsOf = (screen: TestScreen): readonly string[] =>
	bodyOf(screen.context())
		.rows.slice()
		.map(row => row.map(({text}) => text).join(''));

describe('a review of a change that thousands of files repeat', () => {
	test('shows it once, says how many repeat it, and names each below', async () => {
		const screen = await atReview();
		expect(screen.frame()).toMatch(/≡ 4000 more files like src\/a\.js/);
		const rows = rowsOf(screen);
		expect(rows).toContain('The same change as in src/a.js is in 4000 more files');
		expect(rows.filter(row => row.includes('src/part39/file3999.ts'))).toHaveLength(1);
		expectToFit(screen.frame(), large);
	});

	test('shows it on a small screen, too', async () => {
		const screen = await atReview(small);
		expect(rowsOf(screen).join('\n')).toMatch(/≡ 4000 more files like src\/a\.js/);
		expectToFit(screen.frame(), small);
	});

	test('leads by the palette to the diff of one of them alone, and with Esc back to all', async () => {
		const screen = await atReview(small);
		screen.press(':');
		screen.type('file3977');
		screen.press('enter');
		const wanted = Object.keys(resourcesOf(screen.context(), ''));
		expect(wanted.filter(key => key.startsWith('file:'))).toEqual([
			expect.stringMatching(/^file:AGT-\d+:src\/part17\/file3977\.ts@/),
		]);
		const one = adding(1).replaceAll('src/a.js', 'src/part17/file3977.ts');
		screen.learn({resources: resourcesOf(screen.context(), one, repeats)});
		expect(rowsOf(screen)).toContain(
			'The diff of src/part17/file3977.ts alone; Esc shows the others',
		);
		expect(rowsOf(screen).join('\n')).not.toContain('The same change as in');

		screen.press('esc');
		expect(screen.context().view.place.at).toBe('item');
		expect(rowsOf(screen).join('\n')).not.toContain('Esc shows the others');
		screen.press('esc');
		expect(screen.context().view.place.at).toBe('inbox');
	});

	test('says before a merge that the diffs of the others were not shown', async () => {
		const screen = await atReview();
		screen.press('G', 'm');
		expect(screen.frame()).toContain('Not shown, since they change as src/a.js does: src/part0/');
		expect(screen.asked()).toEqual([]);
	});
});
