import type {BrowserContextOptions, Page} from 'playwright-core';
import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {openBrowser} from '../helpers/browser.ts';
import {asks, type Given, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {asking} from './a-view.ts';
import {serving} from './serving.ts';

const browser = await openBrowser();
if (browser === undefined) {
	console.warn('Skipped, since no Chromium can be started here: the page in a browser');
}

afterAll(() => browser?.close());

/** The page of a session in memory, in a browser that tells of everything that it should not do. */
const opened = async (session: Given, options: BrowserContextOptions = {}) => {
	if (browser === undefined) {
		throw new Error('There is no browser.');
	}

	const server = await serving(session);
	const context = await browser.newContext(options);
	onTestFinished(() => context.close());
	const page = await context.newPage();
	const unexpected: string[] = [];
	const {origin} = new URL(server.link);
	page.on('request', request => {
		if (!request.url().startsWith(origin) && request.url() !== 'data:,') {
			unexpected.push(request.url());
		}
	});
	page.on('dialog', dialog => {
		unexpected.push(dialog.message());
		void dialog.dismiss();
	});
	page.on('pageerror', error => unexpected.push(error.message));
	await page.goto(server.link);
	return {...server, page, unexpected};
};

/** Goes by the Tab key alone to the control of this name. */
const tabTo = async (page: Page, name: string): Promise<void> => {
	for (let presses = 0; presses < 60; presses++) {
		await page.keyboard.press('Tab');
		if ((await page.evaluate('document.activeElement.name')) === name) {
			return;
		}
	}

	throw new Error(`The Tab key never came to ${name}.`);
};

describe.skipIf(browser === undefined)('the page in a browser', () => {
	test('each kind of question is answered by the keyboard alone', async () => {
		const session = asking(
			[
				'{question: Which method?, type: choice, options: [oauth, jwt]}',
				'{question: Which flows?, multi: true, options: [web, cli, api]}',
				'{question: Is it urgent?, type: yes-no}',
				'{question: What is it called?, type: text}',
				'{question: Where is it?, type: path}',
				'{question: Which port?, type: number}',
				'{question: Which lines?, type: regex}',
				'{question: Which branch?, type: text, pattern: "^[a-z/]+$"}',
				'{question: Which store?, type: text, options: [redis]}',
			].join(', '),
		);
		const {page, asked, unexpected} = await opened(session);
		const write = async (item: string, text: string): Promise<void> => {
			await tabTo(page, `own:${item}`);
			await page.keyboard.type(text);
		};

		await tabTo(page, 'option:q-1');
		await page.keyboard.press('ArrowDown');
		await tabTo(page, 'option:q-2');
		await page.keyboard.press('Space');
		await tabTo(page, 'option:q-2');
		await tabTo(page, 'option:q-2');
		await page.keyboard.press('Space');
		await tabTo(page, 'option:q-3');
		await page.keyboard.press('Space');
		await write('q-4', 'Ada’s “shop”');
		await write('q-5', 'src/a b.ts');
		await write('q-6', '8080');
		await write('q-7', '^a+$');
		await write('q-8', 'main');
		await write('q-9', 'a file');
		await page.keyboard.press('Control+Enter');
		await page.getByText('No question waits for you.').waitFor();
		expect(
			asked.map(request => Object.entries(request ?? {}).find(([name]) => name === 'choice')),
		).toEqual(
			[
				'jwt',
				'web, api',
				'yes',
				'Ada’s “shop”',
				'src/a b.ts',
				'8080',
				'^a+$',
				'main',
				'a file',
			].map(choice => ['choice', choice]),
		);
		expect(unexpected).toEqual([]);
	});

	test('what is no answer is told where it was written, and stays to be mended', async () => {
		const {page, asked} = await opened(asking('{question: Which port?, type: number}'));
		await tabTo(page, 'own:q-1');
		await page.keyboard.type('eighty');
		await page.keyboard.press('Enter');
		await page.getByText('"eighty" is not a number.').waitFor();
		expect(await page.locator('[name="own:q-1"]').inputValue()).toBe('eighty');
		await page.locator('[name="own:q-1"]').fill('80');
		await page.keyboard.press('Enter');
		await page.getByText('q-1 of AGT-001, from the browser').waitFor();
		expect(asked).toHaveLength(2);
	});

	test('news come around what a person is typing, and take nothing of it away', async () => {
		const session = asking('Which port?', ['AGT-001', 'AGT-002']);
		const {page, tell} = await opened(session);
		await tabTo(page, 'own:q-1');
		await page.keyboard.type('80');
		session.says('AGT-002', asks('Which host?'));
		tell();
		await page.getByText('Which host?').waitFor();
		expect(await page.title()).toBe('(2) orders · delegate-tui');
		await page.keyboard.type('80');
		expect(await page.locator('[name="own:q-1"]').inputValue()).toBe('8080');
	});

	test('whoever is about to answer what somebody else has answered is told so, and keeps their words', async () => {
		const session = asking('Which port?');
		const {page, tell} = await opened(session);
		await tabTo(page, 'own:q-1');
		await page.keyboard.type('a long answer');
		session.tell({kind: 'user.decided', item: 'q-1', choice: '8080', by: 'file', owner: 7});
		tell();
		await page.getByText('This can’t be sent any more.').waitFor();
		expect(await page.getByRole('alert').textContent()).toContain('from a file of user 7');
		expect(await page.locator('[name="own:q-1"]').inputValue()).toBe('a long answer');
		await page.getByText('Put away').click();
		expect(await page.locator('form').count()).toBe(0);
	});

	test('of questions asked together the others stay, with the focus and what is typed', async () => {
		const session = asking('Which port?, Which host?, Which path?');
		const {page, tell} = await opened(session);
		await tabTo(page, 'own:q-2');
		await page.keyboard.type('a host');
		await tabTo(page, 'own:q-3');
		await page.keyboard.type('a pa');
		session.tell({kind: 'user.decided', item: 'q-2', choice: 'other', by: 'user'});
		tell();
		await page.getByText('This can’t be sent any more. q-2: Answered "other"').waitFor();
		await page.keyboard.type('th');
		await page.keyboard.press('Control+Enter');
		await page.getByText('✓ q-3: a path').waitFor();
		expect(await page.locator('[name="own:q-2"]').inputValue()).toBe('a host');
	});

	test('nothing that agents write is run, or loads anything', async () => {
		const hostile = `<img src=http://evil.example/ onerror=alert(1)><script>alert(2)</script>"'`;
		const words = JSON.stringify(hostile);
		const session = working([subtask('AGT-001', {subtask: hostile}), subtask('AGT-002')]);
		session.says(
			'AGT-001',
			asks(`{question: ${words}, options: [${words}, b], context: ${words}}`),
		);
		const {page, unexpected, tell} = await opened(session);
		await page.getByRole('radio').first().check();
		session.says('AGT-002', asks(words));
		tell();
		await expect.poll(() => page.locator('legend').count()).toBe(2);
		await page.getByText('Answer', {exact: true}).first().click();
		await page.getByText(/from the browser/).waitFor();
		expect(await page.locator('img').count()).toBe(0);
		expect(unexpected).toEqual([]);
	});

	test.each(['light', 'dark'] as const)(
		'it is %s where the system is, and can be read',
		async colorScheme => {
			const {page} = await opened(asking('{question: Q?, options: [a]}'), {colorScheme});
			const shades = await page.evaluate(
				`[document.documentElement, document.querySelector('legend')].map((element, place) =>
				Number(getComputedStyle(element)[place === 0 ? 'backgroundColor' : 'color'].match(/\\d+/)[0]))`,
			);
			const [ground, text] = colorScheme === 'light' ? [245, 27] : [17, 230];
			expect(shades).toEqual([ground, text]);
		},
	);

	test('on a phone nothing is wider than the screen, and what is pressed is large enough', async () => {
		const long = 'averylongwordwithoutanyspace'.repeat(10);
		const session = asking(
			`{question: ${long}?, options: [${long}, b], context: ${long}}, {question: Q?, type: path}, {question: R?, multi: true, options: [a plain file, another]}`,
		);
		const {page} = await opened(session, {
			viewport: {width: 390, height: 844},
			isMobile: true,
			hasTouch: true,
		});
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
		for (const target of await page.locator('button, .options label, input[type=text]').all()) {
			expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
		}

		await page.getByText('b', {exact: true}).tap();
		await page.getByText('Answer', {exact: true}).tap();
		await page.getByText('✓ q-1: b').waitFor();
	});

	test('a page whose program has ended says so', async () => {
		const {page, close} = await opened(asking('Q?'));
		await close();
		await page.getByText('Not connected').waitFor();
	});
});
