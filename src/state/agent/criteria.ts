import type {CommandRun} from '../../events/kinds/merge-event.ts';
import {defined} from '../../lib/values.ts';
import {portsText} from '../merge/checked-result.ts';
import type {Agent} from './agent.ts';
import {measuredBy} from './awaiting.ts';
import {checkOfWork} from './compared.ts';

/**
What came of one success criterion of a plan.

`unknown` means that a program can't tell: the criterion has no number, or its number and the one that was reported are of different kinds. `not run` is said of tests that nobody ran on exactly this work.
*/
export type CriterionVerdict = 'met' | 'not met' | 'not reported' | 'not run' | 'unknown';

export type JudgedCriterion = {
	readonly criterion: string;
	readonly verdict: CriterionVerdict;
	/** What the agent reported that decides it, or which check did. */
	readonly by?: string;
};

/** What criteria about tests are judged by: a run of the plan's checks, or how to have one. */
export type TestsRun = {
	/** Absent where they were not run. */
	readonly verdict?: Exclude<CriterionVerdict, 'not reported' | 'not run'>;
	readonly by: string;
};

/**
Compares the success criteria of an agent with what it measured, and those about tests with what the plan's checks said of its work.

@param merged What they said of a result with that work in it, which counts where they were not run on the work alone.
*/
export const judgeCriteria = (agent: Agent, merged?: TestsRun): readonly JudgedCriterion[] =>
	compareMetrics(
		agent.subtask.metrics,
		measuredBy(agent),
		testsOf(agent) ??
			merged ?? {
				by: `to run the plan’s checks on it: delegate-tui agent ${agent.id} check`,
			},
	);

/** Compares what a plan measures all of its work by with what its agents measured, and with the check of the result. */
export const judgeSuccess = (
	success: readonly string[],
	agents: readonly Agent[],
	checked: TestsRun | undefined,
): readonly JudgedCriterion[] =>
	compareMetrics(
		success,
		agents.map(measuredBy),
		checked ?? {
			by: 'no check ran on the result; verify in the plan names one',
		},
	);

const testsOf = (agent: Agent): TestsRun | undefined => {
	const check = checkOfWork(agent);
	return check === undefined || check.ok === null
		? undefined
		: testsRun('the plan’s checks', check);
};

/** Returns what a run of the plan's checks says of tests; one that used a port of somebody else's proves nothing by passing. */
export const testsRun = (
	name: string,
	{ok, commands}: {readonly ok: boolean; readonly commands: readonly CommandRun[]},
): TestsRun => {
	const ports = ok ? portsText({commands}) : '';
	const ran = commands.filter(({command, code}) => runsTests.test(command) && (ok || code !== 0));
	if (ran.length === 0) {
		const which = ok ? 'in which no command says that it runs tests' : 'which failed elsewhere';
		return {verdict: 'unknown', by: `${name}, ${which}`};
	}

	return {verdict: ok ? (ports === '' ? 'met' : 'unknown') : 'not met', by: `${name}${ports}`};
};

/** A command that runs tests says so by its name as a rule. */
const runsTests =
	/(?<![a-z])(?:tests?|specs?|jest|vitest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|check|verify|ci)(?![a-z])|[cp]test\b/i;

/**
Compares criteria such as `coverage ≥ 90 %` or `p99 under 1 ms` with what was measured: an object of numbers, or lines of text.

A number belongs to a criterion when all words of one of the two names are in the other; of several such numbers each must hold. A criterion without a name, `below 20 ms`, is about the only number that there is.

@param tests What criteria about tests are judged by.
*/
export const compareMetrics = (
	criteria: readonly string[],
	measured: unknown,
	tests: TestsRun,
): readonly JudgedCriterion[] => {
	const reported = measurementsIn(measured);
	return criteria.map(criterion => {
		if (aboutTests.test(criterion)) {
			return onlyTests.test(criterion.trim())
				? {criterion, verdict: 'not run', ...tests}
				: {criterion, verdict: 'unknown', by: 'it asks for more than that tests pass'};
		}

		const wanted = comparisonIn(criterion);
		const name = wanted?.name ?? wordsOf(criterion);
		const found =
			name.size === 0 && reported.length === 1
				? reported
				: reported.filter(one => isAbout(one.name, name));
		if (found.length === 0) {
			return {criterion, verdict: 'not reported'};
		}

		const by = [...new Set(found.map(({text}) => text))].join(', ');
		return {criterion, verdict: wanted === undefined ? 'unknown' : allHold(wanted, found), by};
	});
};

/** Returns a judged criterion as a person reads it: `coverage ≥ 90 % · not met (coverage: 61 %)`. */
export const criterionText = ({criterion, verdict, by}: JudgedCriterion): string =>
	`${criterion} · ${verdict}${by === undefined ? '' : ` (${by})`}`;

/** `all tests pass`, `npm test passes`, `tests are green`. */
const aboutTests = /\btests?\b.*\b(?:pass(?:es)?|green|succeeds?)\b/i;

/** Nothing but that: no number, no place, nothing besides. */
const onlyTests =
	/^(?:(?:all|the|our|its|existing|old|new|unit|integration|npm|pnpm|yarn|cargo|go)\s+)*tests?(?:\s+suite)?\s+(?:still\s+|all\s+)?(?:pass(?:es)?|succeeds?|(?:is|are|stays?|remains?)\s+green)\.?$/i;

type Quantity = {readonly value: number; readonly unit: string};

type Measurement = Quantity & {
	readonly name: ReadonlySet<string>;
	readonly text: string;
	/** Of `12 of 14`, in per cent. */
	readonly share?: number;
};

type Comparison = Quantity & {
	readonly name: ReadonlySet<string>;
	readonly holds: (reported: number, wanted: number) => boolean;
};

const comparisons: readonly (readonly [words: RegExp, holds: Comparison['holds']])[] = [
	[/>=|≥|\b(?:at least|no less than|not below|minimum(?: of)?)\b/i, (a, b) => a >= b],
	[/<=|≤|\b(?:at most|no more than|not above|up to|maximum(?: of)?)\b/i, (a, b) => a <= b],
	[/>|\b(?:more than|greater than|above|over)\b/i, (a, b) => a > b],
	[/<|\b(?:less than|fewer than|below|under)\b/i, (a, b) => a < b],
	[/==?|\b(?:exactly|equals?)\b/i, (a, b) => a === b],
];

/** Returns the comparison that a criterion makes: what is compared, how, and with which number; `no errors` is `errors = 0`. */
const comparisonIn = (criterion: string): Comparison | undefined => {
	const none = /^(?:no|zero)\s+(.+)$/i.exec(criterion.trim());
	if (none !== null) {
		return {name: wordsOf(none[1] ?? ''), value: 0, unit: '', holds: (a, b) => a === b};
	}

	for (const [words, holds] of comparisons) {
		const sign = words.exec(criterion);
		const after = sign === null ? '' : criterion.slice(sign.index + sign[0].length);
		const quantity = quantityIn(after);
		if (sign !== null && quantity !== undefined) {
			const name = wordsOf(`${criterion.slice(0, sign.index)} ${quantity.rest}`);
			return {...quantity, name, holds};
		}
	}

	return undefined;
};

/** Reads `90 %`, `1.5ms`, `1,200 requests`: a number, and the unit right after it where that is one. */
const quantityIn = (text: string): (Quantity & {readonly rest: string}) | undefined => {
	const found = /(-?\d[\d,_]*(?:\.\d+)?)\s*(%|[a-zµ]+)?/i.exec(text);
	if (found === null) {
		return undefined;
	}

	const [whole, digits = '', word = ''] = found;
	const value = Number(digits.replaceAll(/[,_]/g, ''));
	const scale = units.get(word.toLowerCase());
	const isUnit = scale !== undefined;
	const rest = `${text.slice(0, found.index)} ${isUnit ? '' : word} ${text.slice(found.index + whole.length)}`;
	return isUnit ? {value: value * scale.factor, unit: scale.unit, rest} : {value, unit: '', rest};
};

const units: ReadonlyMap<string, {readonly unit: string; readonly factor: number}> = new Map(
	(
		[
			['%', {'%': 1, percent: 1}],
			[
				'ms',
				{
					ns: 1e-6,
					µs: 1e-3,
					us: 1e-3,
					ms: 1,
					s: 1e3,
					sec: 1e3,
					seconds: 1e3,
					min: 6e4,
					minutes: 6e4,
					h: 3.6e6,
				},
			],
			[
				'bytes',
				{b: 1, bytes: 1, kb: 1e3, kib: 1024, mb: 1e6, mib: 1024 ** 2, gb: 1e9, gib: 1024 ** 3},
			],
		] as const
	).flatMap(([unit, words]) =>
		Object.entries(words).map(([word, factor]) => [word, {unit, factor}] as const),
	),
);

/** Returns the numbers that were reported, each with the words before or after it, however deep they stand. */
const measurementsIn = (
	measured: unknown,
	names: readonly string[] = [],
): readonly Measurement[] => {
	if (typeof measured === 'number') {
		return [
			{
				name: wordsOf(names.join(' ')),
				value: measured,
				unit: '',
				text: `${names.join(' ')}: ${measured}`,
			},
		];
	}

	if (typeof measured === 'string') {
		return measured.split(/[\n;]|,(?!\d)/).flatMap(part => {
			const words = [...names, part].join(' ');
			const quantity = quantityIn(
				part
					.replace(/\bp\d{2}\b/gi, name => name.replaceAll(/\d/g, '·'))
					.replace(/:\s*(?:none|zero)\b/i, ': 0')
					// Of a change the number that it came to counts.
					.replace(/\bfrom\b.*\bto\b|^.*(?:→|->)/i, ''),
			);
			const [, done, total] = /(\d+)\s*(?:\/|of)\s*(\d+)/i.exec(part) ?? [];
			const share = defined({
				share: Number(total) > 0 ? (Number(done) / Number(total)) * 100 : undefined,
			});
			return quantity === undefined
				? []
				: [{...quantity, ...share, name: wordsOf(words), text: [...names, part.trim()].join(': ')}];
		});
	}

	if (Array.isArray(measured)) {
		return measured.flatMap(one => measurementsIn(one, names));
	}

	const parts = Object.entries(Object(measured));
	const named = parts.flatMap(([key, name]) =>
		/^(?:name|metric|criterion)$/i.test(key) && typeof name === 'string' ? [name] : [],
	);
	const [unit = ''] = parts.flatMap(([key, unit]) => (key === 'unit' ? [String(unit)] : []));
	return parts.flatMap(([key, value]) =>
		named.length > 0 && typeof value === 'number'
			? measurementsIn(`${value} ${unit}`, [...names, ...named])
			: measurementsIn(value, named.length > 0 ? [...names, ...named] : [...names, key]),
	);
};

/** Returns the words by which a number is known, without those that only join or compare. */
const wordsOf = (text: string): ReadonlySet<string> =>
	new Set(
		text
			.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
			.toLowerCase()
			.split(/[^\p{L}\p{N}]+/u)
			.filter(word => /\p{L}/u.test(word) && !joining.has(word)),
	);

const joining = new Set(
	'a an and are at be by for in is it its of on stays than the to was with ms s kb mb percent least most'.split(
		' ',
	),
);

const isAbout = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
	one.size > 0 &&
	other.size > 0 &&
	([...one].every(word => other.has(word)) || [...other].every(word => one.has(word)));

/** A number without a unit is taken for one of the wanted unit only where a percentage is wanted and it isn't a fraction. */
const allHold = (wanted: Comparison, found: readonly Measurement[]): CriterionVerdict => {
	const isPercentage = wanted.unit === '%';
	const isComparable = ({unit, value, share}: Measurement): boolean =>
		unit === wanted.unit || (isPercentage && (share !== undefined || (unit === '' && value > 1)));
	if (!found.every(isComparable)) {
		return 'unknown';
	}

	const held = ({value, share, unit}: Measurement): boolean =>
		wanted.holds(isPercentage && unit === '' && share !== undefined ? share : value, wanted.value);
	return found.every(held) ? 'met' : 'not met';
};
