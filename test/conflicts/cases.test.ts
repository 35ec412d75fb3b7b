import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {compare} from '../../src/conflicts/compare.ts';
import type {Evidence, Finding} from '../../src/conflicts/finding.ts';
import {readRef} from '../../src/git/store/store.ts';
import {
	branchOf,
	type ConflictCase,
	layConflictCases,
	readConflictCases,
} from '../helpers/conflict-cases.ts';
import {removeAll} from '../helpers/repository.ts';

const cases = readConflictCases();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-cases-')));
const gitDir = join(root, 'cases.git');

beforeAll(() => {
	execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
	layConflictCases(gitDir, cases);
});

afterAll(() => removeAll(root));

/** Sides are named by their branches, as git names them in a conflict. */
const compareSides = async (one: ConflictCase) => {
	const store = {gitDir};
	const [a, b] = await Promise.all(
		[branchOf(one, 'a'), branchOf(one, 'b')].map(branch => readRef(store, branch)),
	);
	return {
		a,
		b,
		compared: await compare(
			store,
			{a: a ?? '', b: b ?? ''},
			{signal: new AbortController().signal},
		),
	};
};

const evidenceText = ({side, path, line, text, removed}: Evidence): string =>
	[
		side,
		...(removed ? ['-'] : []),
		line === undefined ? path : `${path}:${line}`,
		...(text === undefined ? [] : [text]),
	].join(' ');

/** As much of a finding as a case speaks of. */
const spokenOf = (finding: Finding, expected: ConflictCase['finds'][number] | undefined) => ({
	rule: finding.rule,
	...(expected?.kind && 'kind' in finding ? {kind: finding.kind} : {}),
	path: finding.path,
	blocking: finding.blocking,
	...(expected?.evidence ? {evidence: finding.evidence.map(evidenceText)} : {}),
});

describe.each(cases)('$name: $about', one => {
	test('finds what there is, and nothing else', async () => {
		const {a, b, compared} = await compareSides(one);
		const named = compared.findings.map(finding => ({
			...finding,
			path: finding.path.replace(`~${a}`, '~a').replace(`~${b}`, '~b'),
		}));
		const byRule = (x: {rule: string; path: string}, y: {rule: string; path: string}) =>
			`${x.rule} ${x.path}` < `${y.rule} ${y.path}` ? -1 : 1;
		const expected = one.finds.toSorted(byRule);
		const found = named.toSorted(byRule);
		expect(found.map((finding, position) => spokenOf(finding, expected[position]))).toEqual(
			expected.map(({says: _, ...finding}) => finding),
		);
		for (const [position, {says = ''}] of expected.entries()) {
			expect(found[position]?.summary).toContain(says);
		}

		for (const {evidence} of found) {
			expect(new Set(evidence.map(({side}) => side))).toEqual(new Set(['a', 'b']));
		}
	});
});
