import {expect, test} from 'vitest';
import {criteriaOfPlan, criterionText, testsRun} from '../../../src/state/agent/criteria.ts';

test.each([
	'all tests pass',
	'npm test passes',
	'the existing unit tests still pass.',
	'tests are green',
])('“%s” is told with what the checks said of tests', criterion => {
	expect(criteriaOfPlan([criterion], 'passed in the check')).toEqual([
		{criterion, tests: 'passed in the check'},
	]);
});

test.each([
	'coverage ≥ 90 %',
	'',
	'all tests pass with coverage ≥ 90 %',
	'tests pass in under 10 s',
	'load test passes at 500 requests/s',
	'no test passes a real token',
	'at least 14 tests pass on Windows',
])('“%s” asks for more or something else, and is told as it is', criterion => {
	expect(criteriaOfPlan([criterion], 'passed in the check')).toEqual([{criterion}]);
});

test('tests pass where the plan’s checks do, whatever the agent says', () => {
	const command = {command: 'npm test', code: 0, ms: 1, tail: []};
	const elsewhere = {...command, ports: [{port: 4000, by: 'node'}]};
	const run = (ok: boolean, ran = command) => testsRun('the plan’s checks', {ok, commands: [ran]});
	expect(run(true)).toBe('passed in the plan’s checks');
	expect(run(false, {...command, code: 1})).toBe('failed in the plan’s checks');
	const lint = {...command, command: 'npm run lint'};
	expect(run(true, lint)).toBe(
		'no test result from the plan’s checks, in which no command says that it runs tests',
	);
	expect(run(false, {...lint, code: 1})).toContain('which failed elsewhere');
	expect(run(true, elsewhere)).toMatch(/^passed in the plan’s checks.*4000/);
	const [unknown = {criterion: ''}] = criteriaOfPlan(['all tests pass'], undefined);
	expect(criterionText(unknown)).toMatch(/^all tests pass · not run: no check ran/);
});
