import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {promisify} from 'node:util';
import type {BrowserContextOptions} from 'playwright-core';
import {openBrowser} from '../../test/helpers/browser.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, type Playground, program} from './playground.ts';
import {webStory} from './web-story.ts';

/*
Takes the pictures of the page of `delegate-tui web`: `npm run pictures:web`. It needs a Chromium.
*/

const folder = join(import.meta.dirname, '../../docs/pictures');

/** Browser settings of each picture, by name. */
const settings: Readonly<Record<string, BrowserContextOptions>> = {
	'web-light': {viewport: {width: 1100, height: 760}, colorScheme: 'light'},
	'web-dark': {viewport: {width: 1100, height: 760}, colorScheme: 'dark'},
	'web-phone': {viewport: {width: 390, height: 844}, colorScheme: 'light'},
};

const start = ({project, environment}: Playground, ...line: readonly string[]) =>
	spawn(process.execPath, [program, ...line], {
		cwd: project,
		env: environment,
		stdio: ['ignore', 'pipe', 'inherit'],
	});

const take = async (place: Playground): Promise<void> => {
	start(place, 'run', place.plan, '--headless', '--yes').stdout.resume();
	const web = start(place, 'web');
	const [link] = await once(createInterface({input: web.stdout}), 'line');
	const browser = await openBrowser();
	if (browser === undefined) {
		throw new Error('There is no Chromium here to take pictures with.');
	}

	for (const [name, setting] of Object.entries(settings)) {
		const page = await (await browser.newContext(setting)).newPage();
		await page.goto(String(link));
		await page.getByText('4 waiting').waitFor();
		const path = join(folder, `${name}.png`);
		await page.screenshot({path});
		console.log(path);
	}

	await browser.close();
	web.kill('SIGINT');
	await once(web, 'exit');
};

await buildWhenStale();
await using place = await makePlayground(webStory);
try {
	await take(place);
} finally {
	const {project, environment} = place;
	const stop = [program, 'stop'];
	await promisify(execFile)(process.execPath, stop, {cwd: project, env: environment});
}
