import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import type {Browser} from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** How long a browser may take to begin, in milliseconds. */
const startMs = 120_000;

/** Whether there is a program that begins and ends; one may have been left half installed. */
const runs = (path: string): boolean =>
	existsSync(path) && spawnSync(path, ['--version'], {timeout: startMs}).status === 0;

/** The browser of this machine, if it has one. */
const browserPath: string | undefined = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
	.flatMap(folder => names.map(name => join(folder, name)))
	.find(runs);

/** Starts that browser without a window; it speaks to nobody but the pages that it is sent to. Nothing where there is none, or none that can be driven here. */
export const openBrowser = async (): Promise<Browser | undefined> => {
	if (browserPath === undefined) {
		return undefined;
	}

	const {chromium} = await import('playwright-core');
	return chromium
		.launch({
			executablePath: browserPath,
			timeout: startMs,
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-dev-shm-usage',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		})
		.catch((error: unknown) => {
			console.warn(`${browserPath} can’t be driven here: ${String(error)}`);
			return undefined;
		});
};
