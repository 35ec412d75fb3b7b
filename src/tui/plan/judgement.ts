import type {Environments, Plan, Program, Subtask} from '../../events/plan.ts';
import {type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import {defined, oncePer} from '../../lib/values.ts';
import {withFolders} from '../../lib/workspace.ts';
import {checkPlan, filesNamedIn, reasons} from '../../rules/plan/check.ts';
import {missingAmong} from '../../rules/plan/missing-among.ts';
import {parsePlan} from '../../rules/plan/parse.ts';
import {valuesToShow} from '../../rules/plan/profile.ts';
import {judge as judgePath} from '../../state/agent/scope.ts';
import type {Composition, SubtaskForm} from './composition.ts';
import type {Desk} from './desk.ts';
import {type Field, isQuoteOpen, knownFields, splitWords} from './fields.ts';
import {writtenPlan} from './plan-file.ts';

/** An error, a warning or a missing field of a plan, with the index of its agent, if it has one. */
export type JudgedFinding = Pick<Problem, 'message' | 'hint'> & {
	readonly level: Problem['level'] | 'open';
	readonly agent?: number;
};

/** Assessment of a plan as written. */
export type Judgement = {
	readonly text: string;
	readonly findings: readonly JudgedFinding[];
	/** Tracked files that each agent may write. */
	readonly reach: readonly (readonly string[])[];
	/** Programs of each agent that only names a profile; empty if the plan can't be parsed yet. */
	readonly programs: readonly (readonly (Program & Pick<Subtask, 'id'>)[])[];
	/** Environment values of the programs, by agent. */
	readonly sets: Environments;
};

/** Checks a plan by the same rules as a plan file that is run. The time grows with the repository's files; the result is cached for each plan. */
export const judgementOf = oncePer((composition: Composition, desk: Desk): Judgement => {
	const {files, branches, profiles, timeoutMs, filesLimit, unreadRegistry, packages} = desk;
	const text = writtenPlan(composition, Object.keys(profiles));
	const parsed = parsePlan(text, {file: '', profiles, packages, timeoutMs, unreadRegistry});
	const plan = parsed.plan ?? standIn(composition, packages);
	const checked = checkPlan(plan, {
		files,
		existing: new Set(filesNamedIn(plan).filter(desk.isThere)),
		absent:
			parsed.plan === undefined
				? new Map()
				: missingAmong(parsed.plan, parsed.environments, desk.missingProgram),
		filesLimit,
		branches,
		positionOf: parsed.plan === undefined ? positionInStandIn : parsed.positionOf,
	});
	const inFile = agentAt(text);
	const whose = parsed.plan === undefined ? agentOfLine : inFile;
	const findings = [
		...openQuotes(composition),
		...parsed.problems.map(problem => toFinding(problem, inFile)),
		...checked.map(problem => toFinding(problem, whose)),
	];
	return {
		text,
		findings: findings.filter(finding => concerns(composition, finding)),
		programs: composition.subtasks.map(({id}) =>
			(parsed.plan?.agents ?? []).filter(
				({id: own, bestOf, profile, origin}) =>
					(own === id || bestOf === id) &&
					(profile !== undefined || origin?.variables.length !== 0),
			),
		),
		sets: parsed.plan === undefined ? {} : valuesToShow(parsed.plan.agents, parsed.environments),
		reach: composition.subtasks.map(subtask => {
			const scope = scopeOf(subtask, packages);
			return files.filter(file => judgePath(scope, file) === 'allowed');
		}),
	};
});

/** Returns whether a finding concerns the joining agent, not the running session. */
const concerns = ({joining, subtasks}: Composition, {agent, message}: JudgedFinding): boolean =>
	joining === undefined || agent === joining || message.includes(subtasks[joining]?.id ?? '');

const scopeOf = ({allowed, forbidden}: SubtaskForm, packages: Desk['packages']) => ({
	allowed: withFolders(splitWords(allowed), packages),
	forbidden: withFolders(splitWords(forbidden), packages),
});

const toFinding = (
	problem: Problem,
	whose: (problem: Problem) => number | undefined,
): JudgedFinding => {
	const {level, message, hint} = problem;
	const agent = whose(problem);
	const [, missing = ''] = /^`(\w+)` is missing\.$/.exec(message) ?? [];
	return Object.hasOwn(knownFields, missing)
		? {level: 'open', message: unwritten(missing as keyof typeof knownFields), ...defined({agent})}
		: {level, message, ...defined({hint, agent})};
};

/** Returns the message for a field that is still empty, which is not an error. */
const unwritten = (part: Field['part']): string =>
	`"${knownFields[part].label}" is still to be written.`;

/**
Returns a plan with the known parts of one that can't be parsed yet, so that scopes are compared from the first glob on.

Missing parts are already reported as errors, so they get values without findings.
*/
const standIn = ({task, verify, subtasks}: Composition, packages: Desk['packages']): Plan => ({
	task,
	context: 'To be written yet',
	success: ['To be written yet'],
	setup: [],
	copy: [],
	verify: [verify],
	supervision: 'supervised',
	agents: subtasks.map(subtask => ({
		id: subtask.id,
		subtask: 'To be written yet',
		goal: 'To be written yet',
		scope: scopeOf(subtask, packages),
		agent: {protocol: 'text', command: []},
		inputs: [],
		metrics: [],
		after: [],
		timeoutMs: 0,
		thinking: 'standard',
		expect: [],
	})),
});

/** Returns a position in a stand-in, which has no file; the line is the number of the agent. */
const positionInStandIn = ([, agent]: readonly PropertyKey[]) => ({
	file: '',
	line: typeof agent === 'number' ? agent + 1 : 0,
	column: 1,
});

const agentOfLine = ({line}: Problem): number | undefined => (line === 0 ? undefined : line - 1);

/** Returns the agent of a place in the file: the last subtask, or other key of the plan, that begins before it. */
const agentAt = (text: string): ((problem: Problem) => number | undefined) => {
	const read = readYaml(text, '');
	if ('problems' in read || typeof read.document.value !== 'object') {
		return () => undefined;
	}

	const {value, positionOf} = read.document;
	const agents =
		value !== null && 'agents' in value && Array.isArray(value.agents) ? value.agents : [];
	const starts = [
		...Object.keys(value ?? {}).map(key => ({...positionOf([key], 'key'), agent: undefined})),
		...agents.map((_: unknown, agent) => ({...positionOf(['agents', agent]), agent})),
	].sort((a, b) => a.line - b.line || a.column - b.column);
	return ({line, column}) =>
		starts.findLast(start => start.line < line || (start.line === line && start.column <= column))
			?.agent;
};

const openQuotes = ({subtasks}: Composition): readonly JudgedFinding[] =>
	subtasks.flatMap(({id, allowed, forbidden, agent}, index) =>
		[allowed, forbidden, agent].some(isQuoteOpen)
			? [
					{
						level: 'error' as const,
						message: `A quote in the part of ${id} is not closed.`,
						agent: index,
					},
				]
			: [],
	);

/** An optional field that should be filled in; `why` continues after "so" or a colon. */
type Missing = {readonly field: Field; readonly why: string};

/** Lists the missing fields that a person is asked about before a plan is run, in the order of the form. */
export const missingFields = ({
	context,
	success,
	verify,
	subtasks,
	joining,
}: Composition): readonly Missing[] => {
	const wanted: readonly (readonly [text: string, field: Field, why: string])[] = [
		[context, {part: 'context'}, reasons.context],
		[verify, {part: 'verify'}, reasons.verify],
		...subtasks.flatMap(({goal, metrics, allowed}, agent) => [
			[goal, {part: 'goal', agent}, reasons.goal] as const,
			[metrics + success, {part: 'metrics', agent}, reasons.metrics] as const,
			[allowed, {part: 'allowed', agent}, reasons.allowed] as const,
		]),
	];
	return wanted
		.filter(([text, {agent}]) => text.trim() === '' && (joining ?? agent) === agent)
		.map(([, field, why]) => ({field, why}));
};
