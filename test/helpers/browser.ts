import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import type {Browser} from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Time limit for the start of a browser, in milliseconds. */
const startMs = 120_000;

/** Returns whether a program starts and exits; it may be only half installed. */
const runs = (path: string): boolean =>
	existsSync(path) && spawnSync(path, ['--version'], {timeout: startMs}).status === 0;

/** Path of this machine's browser, if it has one. */
const browserPath: string | undefined = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
	.flatMap(folder => names.map(name => join(folder, name)))
	.find(runs);

/** Starts that browser without a window; it connects only to the given pages. Returns nothing without a browser that can be controlled. */
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
