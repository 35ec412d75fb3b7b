import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Compared, compare} from '../../src/conflicts/compare.ts';
import type {Evidence, Finding} from '../../src/conflicts/finding.ts';
import {type ConflictCase, layConflictCases, readConflictCases} from '../helpers/conflict-cases.ts';
import {removeAll} from '../helpers/repository.ts';

const cases = readConflictCases();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-cases-')));
const gitDir = join(root, 'cases.git');

/** Sides are named by their commits, as git names them in a conflict. */
type Outcome = {readonly a: string; readonly b: string; readonly compared: Compared};

const outcomes = new Map<ConflictCase, Promise<Outcome>>();

beforeAll(() => {
	execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
	const commits = layConflictCases(gitDir, cases);
	const left = [...cases];
	const started = new Map(cases.map(one => [one, Promise.withResolvers<Outcome>()]));
	for (const [one, {promise}] of started) {
		// A case that fails does so in its own test, which may come later.
		promise.catch(() => {});
		outcomes.set(one, promise);
	}

	const work = async (): Promise<void> => {
		for (let one = left.shift(); one !== undefined; one = left.shift()) {
			await compareSides(commits(one)).then(started.get(one)?.resolve, started.get(one)?.reject);
		}
	};
	// A case waits for git most of its time, so several of them are looked at side by side.
	for (let worker = 0; worker < sideBySide; worker++) {
		void work();
	}
});

const sideBySide = 4;

const compareSides = async ({a, b}: {readonly a: string; readonly b: string}) => ({
	a,
	b,
	compared: await compare({gitDir}, {a, b}, {signal: new AbortController().signal}),
});

afterAll(async () => {
	await Promise.allSettled(outcomes.values());
	removeAll(root);
});

const outcomeOf = (one: ConflictCase): Promise<Outcome> =>
	outcomes.get(one) ?? Promise.reject(new Error(`${one.name} was not compared.`));

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
		const {a, b, compared} = await outcomeOf(one);
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
