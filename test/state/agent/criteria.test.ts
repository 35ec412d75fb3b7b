import {expect, test} from 'vitest';
import {compareMetrics, testsRun} from '../../../src/state/agent/criteria.ts';

const notRun = {by: '`check` runs them'};

test.each([
	['coverage ≥ 90 %', {coverage: '91 %'}, 'met'],
	['coverage at least 90 %', 'coverage: 91 %', 'met'],
	['coverage at least 90 %', 'coverage 89.5%', 'not met'],
	['test coverage of at least 90 percent', {coverage: 91}, 'met'],
	['coverage at least 90 %', {coverage: 0.91}, 'unknown'],
	['p99 < 1 ms', {p99: '800 µs'}, 'met'],
	['p99 < 1 ms', 'p99: 0.002 s', 'not met'],
	['p99 < 1 ms', 'p50: 0.2 ms', 'not reported'],
	['p99 under 1 ms', {latency: {p99: '0.9ms', p50: '0.1 ms'}}, 'met'],
	['p99 under 1 ms', {p99: 0.9}, 'unknown'],
	['at most 5 files changed', {files_changed: 7}, 'not met'],
	['bundle size below 120 kB', ['bundle size: 118 KB', 'gzip: 40 KB'], 'met'],
	['no lint warnings', 'lint warnings: 0', 'met'],
	['no lint warnings', {lintWarnings: 3}, 'not met'],
	['more than 1,000 requests per second', 'requests per second: 1,204', 'met'],
	['the code is easy to read', {coverage: '91 %'}, 'not reported'],
	['documentation', 'documentation: 3 pages', 'unknown'],
	['coverage ≥ 90 %', [{name: 'coverage', value: 91, unit: '%'}], 'met'],
	[
		'coverage ≥ 90 %',
		[
			{metric: 'coverage', achieved: '89 %'},
			{metric: 'p99', value: 95},
		],
		'not met',
	],
	['coverage ≥ 90 %', undefined, 'not reported'],
	['coverage ≥ 90 %', null, 'not reported'],
	['below 20 ms', {start: '19 ms'}, 'met'],
	['below 20 ms', {start: '19 ms', stop: '40 ms'}, 'not reported'],
	['', {'': 1}, 'unknown'],
	['coverage ≥ 90 %', 'coverage went from 92 % to 85 %', 'not met'],
	['bundle size ≤ 200 kB', 'bundle size fell from 250 kB to 190 kB', 'met'],
	['bundle size ≤ 200 kB', 'bundle size: 250 kB → 190 kB', 'met'],
	['mutants killed ≥ 80 %', 'mutants killed: 12 of 14', 'met'],
	['mutants killed ≥ 90 %', 'mutants killed: 12/14', 'not met'],
	['mutants killed at least 13', 'mutants killed: 12 of 14', 'not met'],
	['errors = 0', 'errors: none', 'met'],
	['all tests pass with coverage ≥ 90 %', 'coverage: 95 %', 'unknown'],
	['tests pass on Windows', 'all green', 'unknown'],
	['at least 14 tests pass', '14 tests pass', 'unknown'],
	['the existing unit tests still pass.', '', 'not run'],
	['npm test passes', '', 'not run'],
])('of “%s” and %j is said: %3$s', (criterion, measured, verdict) => {
	expect(compareMetrics([criterion], measured, notRun)).toMatchObject([{criterion, verdict}]);
});

test('tests pass where the plan’s checks do, whatever the agent says', () => {
	const command = {command: 'npm test', code: 0, ms: 1, tail: []};
	const elsewhere = {...command, ports: [{port: 4000, by: 'node'}]};
	const judged = (tests: Parameters<typeof compareMetrics>[2]) =>
		compareMetrics(['all tests pass'], 'all tests pass', tests)[0];
	const run = (ok: boolean, ran = command) => testsRun('the plan’s checks', {ok, commands: [ran]});
	expect(judged(run(true))).toMatchObject({verdict: 'met', by: 'the plan’s checks'});
	expect(judged(run(false, {...command, code: 1}))).toMatchObject({verdict: 'not met'});
	const lint = {...command, command: 'npm run lint'};
	expect(judged(run(true, lint))).toMatchObject({
		verdict: 'unknown',
		by: 'the plan’s checks, in which no command says that it runs tests',
	});
	expect(judged(run(false, {...lint, code: 1}))).toMatchObject({verdict: 'unknown'});
	expect(judged(run(true, elsewhere))).toMatchObject({verdict: 'unknown'});
	expect(judged(notRun)).toMatchObject({verdict: 'not run', by: '`check` runs them'});
});

test('each number that a criterion is about must hold', () => {
	const measured = {coverage: {lines: '95 %', branches: '80 %'}};
	expect(compareMetrics(['coverage at least 90 %'], measured, notRun)).toEqual([
		{
			criterion: 'coverage at least 90 %',
			verdict: 'not met',
			by: 'coverage: lines: 95 %, coverage: branches: 80 %',
		},
	]);
});

test('what several agents report in the same words decides once', () => {
	const measured = [{coverage: '91 %'}, {coverage: '91 %'}, {coverage: '93 %'}];
	expect(compareMetrics(['coverage at least 90 %'], measured, notRun)).toEqual([
		{criterion: 'coverage at least 90 %', verdict: 'met', by: 'coverage: 91 %, coverage: 93 %'},
	]);
});
