import {expect, test} from 'vitest';
import {compare} from '../../src/conflicts/compare.ts';
import {endParsing} from '../../src/conflicts/linking/linking.ts';
import {openOracles} from '../../src/conflicts/oracle/open-oracles.ts';
import type {OraclePlugin} from '../../src/conflicts/oracle/oracle.ts';
import {unreadByReason} from '../../src/events/finding.ts';
import {unreadText} from '../../src/state/merge/attribution-text.ts';
import type {Files} from '../helpers/repository.ts';
import {twoSides} from '../helpers/two-sides.ts';

const compareSides = async (one: Files, other: Files) => {
	const base = {'a.ts': 'export const a = 1;\n'};
	const {store, a, b} = await twoSides({base, a: one, b: other});
	return compare(store, {a, b}, {signal: new AbortController().signal});
};

test('what only git compared is told with the reason', async () => {
	const {unread, findings} = await compareSides(
		{
			'guide.md': '# Guide\n',
			'vendor/lib.js': 'export const lib = 1;\n',
			'wide.py': 'a = 1\n\0',
		},
		{
			'a.ts': 'export const a = 2;\n',
			'half.py': 'def (:\n',
			'large.ts': `// ${'x'.repeat(1_000_000)}\n`,
		},
	);
	expect(findings).toEqual([]);
	expect(unread.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
		{path: 'guide.md', why: 'no grammar'},
		{path: 'half.py', why: 'in part'},
		{path: 'large.ts', why: 'too large'},
		{path: 'vendor/lib.js', why: 'not ours'},
		{path: 'wide.py', why: 'no text'},
	]);
});

test('the parser’s memory can be freed while a checker runs, and the next comparison parses again', async () => {
	const sides = {base: {}, a: {'a.ts': 'export const a = 1;\n'}, b: {'half.ts': 'const = ;\n'}};
	const {store, a, b} = await twoSides(sides);
	const read = Promise.withResolvers<void>();
	const waiting: OraclePlugin = {
		name: 'waiting',
		serves: () => true,
		start: async () => ({
			version: '1',
			check: () => read.promise.then(() => ({errors: [], covered: new Set()})),
			close: async () => {},
		}),
	};
	const context = {store, runsCode: false};
	await using oracles = openOracles(context, {plugins: [waiting], now: () => 0});
	const {signal} = new AbortController();
	const onRead = () => endParsing().then(read.resolve);
	const unread = [{path: 'half.ts', why: 'in part'}];
	expect(await compare(store, {a, b}, {signal, oracles, onRead})).toMatchObject({unread});
	const later = await twoSides({...sides, b: {'half.ts': 'let = ;\n'}});
	expect(await compare(later.store, {a: later.a, b: later.b}, {signal})).toMatchObject({unread});
});

test('where only one side changed anything, nothing was to be read', async () => {
	expect((await compareSides({'guide.md': '# Guide\n'}, {})).unread).toEqual([]);
});

test('many files are told by their reasons and the first ones of each', () => {
	const docs = ['d.md', 'b.md', 'a.md', 'c.md'].map(path => ({path, why: 'no grammar'}) as const);
	const unread = unreadByReason([...docs, {path: 'x.c', why: 'parser failed'}]);
	expect(unreadText(unread)).toBe(
		'Compared by git alone: a.md, b.md, c.md and others (not in a language that is read); x.c (the parser crashed).',
	);
	expect(unreadText([])).toBeUndefined();
});
