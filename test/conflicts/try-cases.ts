import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {compare} from '../../src/conflicts/compare.ts';
import type {Evidence, Finding} from '../../src/conflicts/finding.ts';
import {type CommitsOf, type ConflictCase, layConflictCases} from '../helpers/conflict-cases.ts';
import {removeAll} from '../helpers/repository.ts';

/** Tests that each of these cases is found to be what it says, and nothing else; all of them lie in one repository meanwhile. */
export const tryCases = (cases: readonly ConflictCase[]): void => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-cases-')));
	const gitDir = join(root, 'cases.git');
	let commits: CommitsOf;
	beforeAll(() => {
		execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
		commits = layConflictCases(gitDir, cases);
	});
	afterAll(() => removeAll(root));

	// A case waits for git most of its time.
	test.concurrent.each(cases)('$name: $about; that is found, and nothing else', async one => {
		const {a, b} = commits(one);
		const compared = await compare({gitDir}, {a, b}, {signal: new AbortController().signal});
		// Sides are named by their commits, as git names them in a conflict.
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
