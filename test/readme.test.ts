import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {withPartsOfToday} from '../scripts/readme.ts';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
	test('has the keys, signals and plan of today; npm run readme writes them', () => {
		expect(readme).toBe(withPartsOfToday(readme));
	});

	test('must have a place for each', () => {
		expect(() => withPartsOfToday(readme.replace('<!-- /signals -->', ''))).toThrow('signals');
	});

	test('shows and names only files that there are', () => {
		const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
		expect(targets.length).toBeGreaterThan(5);
		expect(targets.filter(target => !existsSync(target))).toEqual([]);
	});

	test('says the same of a picture as the picture says of itself', () => {
		const pictures = [...readme.matchAll(/!\[([^\]]+)\]\((\S+)\)/g)];
		expect(pictures.length).toBeGreaterThan(0);
		const others = pictures.filter(
			([, title = '', path = '']) =>
				!readFileSync(path, 'utf8').includes(`<title>${title}</title>`),
		);
		expect(others.map(([, , path]) => path)).toEqual([]);
	});
});
