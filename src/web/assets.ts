import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import type {Assets} from './page/page.ts';

/** Reads what the page brings along: files beside the source, and beside the bundle. */
export const readAssets = async (): Promise<Assets> => ({
	style: await read('page.css'),
	script: await read('page.js'),
});

const read = (name: string): Promise<string> => {
	const folder = import.meta.url.endsWith('.ts') ? './assets' : './web';
	return readFile(new URL(`${folder}/${name}`, import.meta.url), 'utf8');
};

/** Returns what a browser may do with the page: run its one script, and speak to nobody but us. */
export const policyFor = ({style, script}: Assets): string =>
	[
		"default-src 'none'",
		`script-src '${hash(script)}'`,
		`style-src '${hash(style)}'`,
		"connect-src 'self'",
		'img-src data:',
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; ');

const hash = (text: string): string =>
	`sha256-${createHash('sha256').update(text).digest('base64')}`;
