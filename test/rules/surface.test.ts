import {describe, expect, test} from 'vitest';
import type {SurfaceChange} from '../../src/events/finding.ts';
import {surfacings} from '../../src/rules/runs-by-itself.ts';
import {surfaceNotes} from '../../src/state/merge/surface-notes.ts';

const nothing = {setup: [], verify: []};
const node = {as: 'runs', what: 'packages and scripts of Node.js'};
const executable = {as: 'runs', what: 'made executable'};

describe('a change is one of the surface', () => {
	test.each([
		['that is new', undefined, '100644'],
		['that is changed', '100644', '100644'],
		['that is gone', '100644', undefined],
		['that was a link', '120000', '100644'],
	])('under a name that runs by itself, %s', (_, before, after) => {
		expect(surfacings({path: 'web/package.json', before, after}, nothing)).toEqual([node]);
	});

	test.each([
		[undefined, '100755', [executable]],
		['100644', '100755', [executable]],
		['120000', '100755', [executable]],
		['100755', '100755', []],
		['100755', '100644', []],
		['100755', undefined, []],
		[undefined, '120000', [{as: 'link'}]],
		['120000', '120000', [{as: 'link'}]],
		['100644', '120000', [{as: 'link'}]],
		['120000', undefined, []],
		['120000', '100644', []],
		[undefined, '160000', [{as: 'submodule'}]],
		['160000', '160000', [{as: 'submodule'}]],
		['160000', undefined, []],
		['100644', '100644', []],
	])('whatever its name, from mode %s to %s: %j', (before, after, expected) => {
		expect(surfacings({path: 'src/a', before, after}, nothing)).toEqual(expected);
	});

	test('twice, as a link under such a name', () => {
		const link = {path: 'package.json', before: '100644', after: '120000'};
		expect(surfacings(link, nothing)).toEqual([node, {as: 'link'}]);
	});

	test('once, as a hook that is executable', () => {
		const hook = {path: '.husky/pre-commit', before: undefined, after: '100755'};
		expect(surfacings(hook, nothing)).toEqual([{as: 'runs', what: 'git and its hooks'}]);
	});
});

test('what runs by itself is told before what leads elsewhere, each in a sentence', () => {
	const surface: readonly SurfaceChange[] = [
		{path: 'a', as: 'link', what: '../x'},
		{path: 'lib', as: 'submodule', what: '0123456789'},
		{path: 'package.json', as: 'runs', what: 'packages'},
	];
	expect(surfaceNotes(surface)).toEqual([
		'package.json changes what runs by itself (packages).',
		'a is a link to "../x".',
		'lib is a submodule, at 0123456789.',
	]);
	expect(surfaceNotes([])).toEqual([]);
});

test('of very many the number is told', () => {
	const links = Array.from(
		{length: 12},
		(_, index) => ({path: `l${index}`, as: 'link', what: 'x'}) as const,
	);
	expect(surfaceNotes(links)).toHaveLength(11);
	expect(surfaceNotes(links).at(-1)).toBe('2 more are links.');
	expect(surfaceNotes(links.slice(0, 10))).toHaveLength(10);
});

test('a script that the plan’s own commands name runs by itself', () => {
	const commands = {
		setup: ['npm ci'],
		verify: ['cd work && sh ./t.sh --config=ci/check.json', 'checks'],
	};
	const isNamed = (path: string) =>
		surfacings({path, before: '100644', after: '100644'}, commands).length > 0;
	const named = ['t.sh', 'work/t.sh', 'work/T.sh', 'ci/check.json', 'a/ci/check.json', 'checks'];
	expect(named.filter(path => !isNamed(path))).toEqual([]);
	expect(
		['src/t.shx', 'at.sh', 'check.json', 'src/checks', 'src/ci', 'work'].filter(isNamed),
	).toEqual(['work']);
});
