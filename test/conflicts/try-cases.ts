import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Compared, compare} from '../../src/conflicts/compare.ts';
import type {Evidence, Finding} from '../../src/conflicts/finding.ts';
import {type CommitsOf, type ConflictCase, layConflictCases} from '../helpers/conflict-cases.ts';
import {removeAll} from '../helpers/repository.ts';

/** Sides are named by their commits, as git names them in a conflict. */
type Outcome = {readonly a: string; readonly b: string; readonly compared: Compared};

/** Tests that each of these cases is found to be what it says, and nothing else. */
export const tryCases = (cases: readonly ConflictCase[]): void => {
	const outcomes = compareAll(cases);
	describe.each(cases)('$name: $about', one => {
		test('finds what there is, and nothing else', async () => {
			const {a, b, compared} = await outcomes(one);
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
};

/** A case waits for git most of its time, so the next ones are looked at beside it. */
const sideBySide = 4;

/** Returns what comes of a case; all of them lie in one repository while the tests of a file run. */
const compareAll = (cases: readonly ConflictCase[]): ((one: ConflictCase) => Promise<Outcome>) => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-cases-')));
	const gitDir = join(root, 'cases.git');
	const outcomes = new Map<ConflictCase, Promise<Outcome>>();
	let commits: CommitsOf;
	beforeAll(() => {
		execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
		commits = layConflictCases(gitDir, cases);
	});
	afterAll(async () => {
		await Promise.allSettled(outcomes.values());
		removeAll(root);
	});

	const compareSides = async ({a, b}: {readonly a: string; readonly b: string}) => ({
		a,
		b,
		compared: await compare({gitDir}, {a, b}, {signal: new AbortController().signal}),
	});

	return one => {
		const from = cases.indexOf(one);
		for (const next of cases.slice(from, from + sideBySide)) {
			const outcome = outcomes.get(next) ?? compareSides(commits(next));
			outcomes.set(next, outcome);
			// One that fails does so in its own test, which may come later.
			outcome.catch(() => {});
		}

		return outcomes.get(one) ?? compareSides(commits(one));
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
