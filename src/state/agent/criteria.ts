import type {CommandRun} from '../../events/kinds/merge-event.ts';
import {portsText} from '../merge/checked-result.ts';
import type {Agent} from './agent.ts';
import {checkOfWork} from './compared.ts';

/** A success criterion of a plan, shown beside an agent's measurements; `tests` is the known result if it only asks for passing tests. */
export type Criterion = {readonly criterion: string; readonly tests?: string};

/**
Returns the success criteria of an agent, with the check's result for those that only ask for passing tests.

@param merged Result of the checks of a merge with that work, used if they did not run on the work alone.
*/
export const criteriaOf = (agent: Agent, merged?: string): readonly Criterion[] =>
	withTests(
		agent.subtask.metrics,
		testsOf(agent) ??
			merged ??
			`not run; to run the plan’s checks on it: delegate-tui agent ${agent.id} check`,
	);

/** Returns the success criteria of a plan, with the merge's check for those that only ask for passing tests. */
export const criteriaOfPlan = (
	success: readonly string[],
	checked: string | undefined,
): readonly Criterion[] =>
	withTests(
		success,
		checked ?? 'not run: no check ran on the result; verify in the plan names one',
	);

const withTests = (criteria: readonly string[], tests: string): readonly Criterion[] =>
	criteria.map(criterion => (onlyTests.test(criterion.trim()) ? {criterion, tests} : {criterion}));

/** Matches `all tests pass`, `npm test passes`, `tests are green`: a green check proves nothing about numbers, places or other words. */
const onlyTests =
	/^(?:(?:all|the|our|its|existing|old|new|unit|npm|pnpm|yarn|cargo|go)\s+)*tests?(?:\s+suite)?\s+(?:still\s+|all\s+)?(?:pass(?:es)?|succeeds?|(?:is|are|stays?|remains?)\s+green)\.?$/i;

const testsOf = (agent: Agent): string | undefined => {
	const check = checkOfWork(agent);
	return check === undefined || check.ok === null
		? undefined
		: testsRun('the plan’s checks', check);
};

/** Returns the result of tests in a run of the plan's checks; a pass proves nothing if the run used a port of another program. */
export const testsRun = (
	name: string,
	{ok, commands}: {readonly ok: boolean; readonly commands: readonly CommandRun[]},
): string => {
	const ran = commands.filter(({command, code}) => runsTests.test(command) && (ok || code !== 0));
	if (ran.length === 0) {
		const which = ok ? 'in which no command says that it runs tests' : 'which failed elsewhere';
		return `no test result from ${name}, ${which}`;
	}

	return ok ? `passed in ${name}${portsText({commands})}` : `failed in ${name}`;
};

/** Matches commands that run tests, by their usual names. */
const runsTests =
	/(?<![a-z])(?:tests?|specs?|jest|vitest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|check|verify|ci)(?![a-z])|[cp]test\b/i;

/** Returns the text of a criterion: `all tests pass · passed in the plan’s checks`. */
export const criterionText = ({criterion, tests}: Criterion): string =>
	tests === undefined ? criterion : `${criterion} · ${tests}`;
