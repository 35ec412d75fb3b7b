import {type Document, isMap, isSeq, parseDocument} from 'yaml';
import {z} from 'zod';
import type {Plan} from '../../events/plan.ts';
import {type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import {asFields} from '../../lib/values.ts';
import {type CheckOptions, checkPlan} from './check.ts';
import {type PlanFinding, toProblem} from './finding.ts';
import {overlapsAmong, reachOf} from './overlap.ts';
import {type ParseOptions, parsePlan} from './parse.ts';
import {planFileSchema, subtaskFileSchema} from './schema.ts';
import {inReadingOrder} from './shape.ts';

export type ProposalOptions = ParseOptions &
	Pick<CheckOptions, 'files' | 'existing' | 'filesLimit'>;

/** Maximum number of subtasks in a proposal: as many as agents that work at once. */
const maximumProposed = 3;

/** Lists the errors that a planner has to fix in its plan, with their places; overlapping scopes are among them. */
export const checkProposal = (text: string, options: ProposalOptions): readonly Problem[] => {
	const parsed = parsePlan(text, options);
	const foreign = foreignKeys(text, options.file);
	if (parsed.plan === undefined) {
		return inReadingOrder([...parsed.problems, ...foreign]);
	}

	const {plan, positionOf} = parsed;
	const checked = checkPlan(plan, {...options, positionOf});
	return inReadingOrder([
		...foreign,
		...checked.filter(({level}) => level === 'error'),
		...[...tooMany(plan), ...overlaps(plan, options)].map(finding =>
			toProblem(finding, positionOf),
		),
	]);
};

const tooMany = ({agents}: Plan): readonly PlanFinding[] =>
	agents.length <= maximumProposed
		? []
		: [
				{
					level: 'error',
					path: ['agents', maximumProposed],
					message: `There are ${agents.length} subtasks; propose at most ${maximumProposed}.`,
				},
			];

const overlaps = ({agents}: Plan, {files}: ProposalOptions): readonly PlanFinding[] =>
	overlapsAmong(agents.map(agent => reachOf(agent, files))).map(
		({first, second, at, files: [file]}) => ({
			level: 'error',
			path: ['agents', at, 'scope'],
			message: `${first.agent.id} and ${second.agent.id} may both write \`${file}\`; scopes must be disjoint.`,
		}),
	);

/** Lists keys that a planner may not write, with their places, even if the plan is valid. */
const foreignKeys = (text: string, file: string): readonly Problem[] => {
	const read = readYaml(text, file);
	if ('problems' in read) {
		return [];
	}

	const {value, positionOf} = read.document;
	const agents = asFields(value).agents;
	const entries = Array.isArray(agents) ? agents.map(asFields) : [];
	const paths = [
		...unknownKeys(asFields(value), proposable.plan).map(key => [key]),
		...entries.flatMap((entry, index) => [
			...unknownKeys(entry, proposable.subtask).map(key => ['agents', index, key]),
			...(typeof entry.agent === 'object' ? [['agents', index, 'agent']] : []),
		]),
	];
	return paths.map(path => ({
		level: 'error',
		message: `\`${String(path.at(-1))}\` can’t be proposed: a person has to write it.`,
		...positionOf(path, 'key'),
	}));
};

/** Returns the keys of plans that are not allowed here; the parser already reports unknown ones. */
const unknownKeys = (
	entry: Readonly<Record<string, unknown>>,
	allowed: readonly string[],
): readonly string[] => Object.keys(entry).filter(key => !allowed.includes(key) && known.has(key));

const known = new Set([
	...Object.keys(planFileSchema.shape),
	...Object.keys(subtaskFileSchema.shape),
]);

export type Completion = {
	/** The task in the person's own words. */
	readonly task: string;
	/** Agent of subtasks that name none. */
	readonly agent: string;
};

/** Returns a proposed plan with the person's own task, and with an agent for each subtask; the planner's comments stay. */
export const completeProposal = (text: string, {task, agent}: Completion): string => {
	const document = parseDocument(text, {stringKeys: true});
	document.set('task', task);
	nameAgents(document, agent);
	return document.toString({lineWidth: 0, flowCollectionPadding: false});
};

const nameAgents = (document: Document, agent: string): void => {
	const agents = document.get('agents', true);
	for (const entry of isSeq(agents) ? agents.items.filter(isMap) : []) {
		if (!entry.has('agent')) {
			entry.set('agent', agent);
		}
	}
};

/**
Keys that a planner may propose.

A person decides how agents are started, which commands run unseen, and where the result goes.
*/
const proposable = {
	plan: ['version', 'task', 'context', 'success', 'verify', 'agents'],
	subtask: ['id', 'subtask', 'goal', 'scope', 'agent', 'inputs', 'metrics', 'after', 'output'],
} as const;

/** Returns the keys that a planner may write, one per line, with the descriptions of the plan file's schema. */
export const planFormat = (): string =>
	[
		...proposable.plan.map(key => line('', key, planFileSchema.shape[key])),
		...proposable.subtask.map(key => line('  ', key, subtaskFileSchema.shape[key])),
	].join('\n');

const line = (indent: string, key: string, schema: z.ZodType): string =>
	`${indent}${key} (${kindOf(schema)}): ${schema.description ?? ''}`;

const kindOf = (schema: z.ZodType): string => {
	if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault) {
		const inner = schema.unwrap();
		return inner instanceof z.ZodType ? kindOf(inner).replace(/, needed$/, '') : 'text';
	}

	if (schema instanceof z.ZodLiteral) {
		return `always ${[...schema.values].join(', ')}`;
	}

	if (schema instanceof z.ZodArray) {
		return 'list';
	}

	return schema instanceof z.ZodObject
		? `{${Object.keys(schema.shape)
				.map(key => `${key}: list`)
				.join(', ')}}`
		: 'text, needed';
};

/**
Finds the plan in a planner's output: the last fenced block that looks like one, else everything from the line `version:` on.

Returns nothing if there is none.
*/
export const planInWords = (words: string): string | undefined => {
	const blocks = [...words.replaceAll('\r\n', '\n').matchAll(fence)].map(([, , text = '']) => text);
	const plan = blocks.findLast(text => isPlan.test(text));
	if (plan !== undefined) {
		return plan;
	}

	const start = words.search(isPlan);
	return blocks.length > 0 || start === -1 ? undefined : words.slice(start);
};

const isPlan = /^(?:version|agents):/m;

/** A fence is closed by one of the same length; output that ends inside a block was cut off. */
const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
