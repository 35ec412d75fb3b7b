import type {CommandRun} from '../../events/kinds/merge-event.ts';
import {portsText} from '../merge/checked-result.ts';
import type {Agent} from './agent.ts';
import {checkOfWork} from './compared.ts';

/** A success criterion of a plan, which a person reads beside what agents measured; where it asks only that tests pass, what is known of them. */
export type Criterion = {readonly criterion: string; readonly tests?: string};

/**
Returns the success criteria of an agent, those that ask only that tests pass with what the plan's checks said of its work.

@param merged What they said of a result with that work in it, which counts where they were not run on the work alone.
*/
export const criteriaOf = (agent: Agent, merged?: string): readonly Criterion[] =>
	withTests(
		agent.subtask.metrics,
		testsOf(agent) ??
			merged ??
			`not run; to run the plan’s checks on it: delegate-tui agent ${agent.id} check`,
	);

/** Returns what a plan measures all of its work by, what asks only that tests pass with what the check of the result said. */
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

/** `all tests pass`, `npm test passes`, `tests are green`: of a number, a place or other words besides a green check says nothing. */
const onlyTests =
	/^(?:(?:all|the|our|its|existing|old|new|unit|npm|pnpm|yarn|cargo|go)\s+)*tests?(?:\s+suite)?\s+(?:still\s+|all\s+)?(?:pass(?:es)?|succeeds?|(?:is|are|stays?|remains?)\s+green)\.?$/i;

const testsOf = (agent: Agent): string | undefined => {
	const check = checkOfWork(agent);
	return check === undefined || check.ok === null
		? undefined
		: testsRun('the plan’s checks', check);
};

/** Returns what a run of the plan's checks says of tests; one that used a port of somebody else's proves nothing by passing. */
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

/** A command that runs tests says so by its name as a rule. */
const runsTests =
	/(?<![a-z])(?:tests?|specs?|jest|vitest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|check|verify|ci)(?![a-z])|[cp]test\b/i;

/** Returns a criterion as a person reads it: `all tests pass · passed in the plan’s checks`. */
export const criterionText = ({criterion, tests}: Criterion): string =>
	tests === undefined ? criterion : `${criterion} · ${tests}`;
