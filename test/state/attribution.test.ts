import fc from 'fast-check';
import {describe, expect, it, test} from 'vitest';
import {
	attributionOf,
	isSamePart,
	type Part,
	type Verdict,
} from '../../src/state/merge/attribution.ts';
import {verdictText} from '../../src/state/merge/attribution-text.ts';
import type {PartRun} from '../../src/state/merge/merge.ts';

type Outcomes = (part: Part) => PartRun['outcome'];

const runOf = (agents: Part, outcome: PartRun['outcome']): PartRun => ({
	agents,
	outcome,
	tree: agents.join('+'),
	log: null,
});

/** Checks what is asked for until nothing is any more, some at a time. */
const narrow = (agents: Part, outcomes: Outcomes, atOnce = 1) => {
	const runs: PartRun[] = [];
	const verdicts: Verdict[] = [];
	for (;;) {
		const {verdict, next, open} = attributionOf(agents, runs);
		verdicts.push(verdict);
		expect(open).toBeGreaterThanOrEqual(next.length);
		if (next.length === 0) {
			return {verdict, runs, verdicts};
		}

		runs.push(...next.slice(0, atOnce).map(part => runOf(part, outcomes(part))));
	}
};

const [a, b, c] = ['AGT-001', 'AGT-002', 'AGT-003'] as const;
const three = [a, b, c];

/** Those parts fail that hold one of these groups. */
const redWith =
	(...groups: readonly Part[]): Outcomes =>
	part =>
		groups.some(group => group.every(id => part.includes(id))) ? 'red' : 'green';

const says = (agents: Part, outcomes: Outcomes) =>
	verdictText(narrow(agents, outcomes).verdict, 'main');

describe('whose work fails', () => {
	it.each([
		[
			'two of three',
			three,
			redWith([a, c]),
			`${a} and ${c} together break it; each alone is green.`,
		],
		['one of three', three, redWith([b]), `${b} alone breaks it.`],
		[
			'one alone, and two others together',
			three,
			redWith([a], [b, c]),
			`${a} alone breaks it. ${b} and ${c} together break it; each alone is green.`,
		],
		[
			'only all three',
			three,
			redWith(three),
			`${a}, ${b} and ${c} break it only when all are merged; any two of them pass.`,
		],
		['one of one', [a], redWith([a]), `${a} alone breaks it.`],
		[
			'two of two',
			[a, b],
			redWith([a, b]),
			`${a} and ${b} together break it; each alone is green.`,
		],
		[
			'the target',
			three,
			redWith([]),
			'main is red by itself: the check fails without any agent’s work.',
		],
		[
			'nobody, since it passes the second time',
			three,
			() => 'green' as const,
			'The check failed once and passed once on the same result.',
		],
		[
			'two, of whom one could not be checked alone',
			[a, b],
			(part: Part) => (isSamePart(part, [a]) ? 'unclear' : redWith([a, b])(part)),
			`${a} and ${b} together break it.`,
		],
	])('is told of %s', (_, agents, outcomes, words) => {
		expect(says(agents, outcomes)).toBe(words);
	});

	it('is told as soon as it is known, before everything is checked', () => {
		const {verdicts} = narrow(three, redWith([a], [b, c]));
		const texts = verdicts.map(verdict => verdictText(verdict, 'main'));
		expect(texts.indexOf(`${a} alone breaks it.`)).toBeLessThan(texts.length - 1);
	});
});

const outcome = fc.constantFrom('green', 'red', 'unclear');
const agentsOf = (count: number): Part => Array.from({length: count}, (_, at) => `AGT-00${at + 1}`);

test('any outcome of any part leads to the smallest groups that fail, and no check is asked for twice', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 7}),
			fc.integer({min: 1, max: 4}),
			fc.func(outcome),
			(count, atOnce, random) => {
				const agents = agentsOf(count);
				const outcomes: Outcomes = part =>
					random([...part].toSorted().join()) as PartRun['outcome'];
				const {verdict, runs} = narrow(agents, outcomes, atOnce);
				expect(runs.length).toBeLessThanOrEqual(8);
				const keys = runs.map(run => run.agents.join());
				expect(new Set(keys).size).toBe(keys.length);
				expect(verdict.kind).not.toBe('open');
				if (outcomes(agents) !== 'red') {
					expect(verdict.kind).toBe(outcomes(agents) === 'green' ? 'flaky' : 'unclear');
				} else if (outcomes([]) === 'red') {
					expect(verdict.kind).toBe('target');
				} else if (verdict.kind === 'agents') {
					for (const {agents: group, isSure} of verdict.sets) {
						expect(outcomes(group)).toBe('red');
						const inside = runs.filter(
							run => run.agents.length < group.length && run.agents.every(id => group.includes(id)),
						);
						expect(
							inside.filter(run => run.agents.length > 0).some(run => run.outcome === 'red'),
						).toBe(false);
						if (isSure) {
							expect(inside).toHaveLength(2 ** group.length - 1);
							expect(inside.every(run => run.outcome === 'green')).toBe(true);
						}
					}
				}
			},
		),
	);
});
