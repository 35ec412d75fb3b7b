import {expect, test} from 'vitest';
import {keyText} from '../../src/client/resources/resources.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import {openAt, resourcesOf, shownAs, type TestScreen, whenFirst} from './a-screen.ts';

/** Returns a diff that changes two lines of a long file, with so many lines around each. */
const changing = (context: number): string => {
	const hunk = (changed: number): readonly string[] => {
		const lines = (from: number, to: number) =>
			Array.from({length: to - from}, (_, index) => ` line ${from + index}`);
		const from = Math.max(1, changed - context);
		return [
			`@@ -${from},${changed - from + 1 + context} +${from},${changed - from + 1 + context} @@`,
			...lines(from, changed),
			`-old ${changed}`,
			`+new ${changed}`,
			...lines(changed + 1, changed + 1 + context),
		];
	};
	return ['--- a/src/a.js', '+++ b/src/a.js', ...hunk(100), ...hunk(300), ''].join('\n');
};

const around = 40;

const openReview = async (): Promise<TestScreen> => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
	screen.learn({resources: resourcesOf(screen.context(), changing(around))});
	return screen;
};

/** Lets come what the screen asks for and does not have, with more around each change. */
const letCome = (screen: TestScreen): void => {
	const {resources} = screen.context().model;
	const missing = resourcesFor(screen.context())
		.map(keyText)
		.filter(key => resources[key] === undefined);
	const more = shownAs(changing(2 * around));
	expect(missing).not.toEqual([]);
	screen.learn({
		resources: {...resources, ...Object.fromEntries(missing.map(key => [key, more]))},
	});
};

const wantedOf = (screen: TestScreen): readonly string[] =>
	resourcesFor(screen.context())
		.filter(({what}) => what.of === 'work')
		.map(({what}) => ('context' in what ? `${what.context}` : 'as git has it'));

test('> and < ask for more and fewer lines around each change, whole files in the end, and say so', async () => {
	const screen = await openReview();
	const told = [10, 30, 10_000, 10_000].map(() => {
		screen.press('>');
		return [wantedOf(screen).at(-1), screen.notice()];
	});
	expect(told).toEqual([
		['10', '10 lines around each change.'],
		['30', '30 lines around each change.'],
		['10000', 'Whole files.'],
		['10000', 'Whole files are shown.'],
	]);
	screen.press('<', '<', '<');
	expect(wantedOf(screen)).toEqual(['as git has it', 'as git has it']);
	screen.press('<');
	expect(screen.notice()).toBe('No fewer lines are shown around a change.');
});

test('the diff stays as it is until there is more, and the line in sight stays where it is', async () => {
	const screen = await openReview();
	screen.press('end', 'k', 'k');
	const rows = (): readonly string[] => screen.frame().split('\n').slice(3, 10);
	const before = rows();
	expect(before.join()).toContain('line 3');
	screen.press('>');
	expect(rows()).toEqual(before);
	letCome(screen);
	expect(rows()).toEqual(before);
	expect(screen.frame()).not.toContain('Fetching');
	screen.press('g', '>');
	expect(screen.frame()).toContain('What it says, and what was found');
});
