import {readYaml} from '../../../lib/text/yaml-document.ts';
import {giveIds} from '../../../rules/plan/agent-ids.ts';
import {type PlanFile, planSchema} from '../../../rules/plan/schema.ts';
import {checkShape} from '../../../rules/plan/shape.ts';
import {joinCommands} from '../command-list.ts';
import type {Composition, Form} from '../model/composition.ts';
import {joinWords} from '../word-list.ts';
import {agentText} from './agent-text.ts';

/** A plan file in the form, with the files that it names; or why it can't be. */
export type OpenedPlan =
	| {readonly composition: Composition; readonly named: readonly string[]}
	| {readonly why: string};

/**
Reads a plan file into the form.

It must have the shape of a plan, so that nothing in it is lost; everything else that is wrong with it can be mended in the form.
*/
export const openPlan = (text: string, profiles: readonly string[]): OpenedPlan => {
	const read = readYaml(text, '');
	if ('problems' in read) {
		return {why: firstOf(read.problems)};
	}

	const shaped = checkShape(read.document, planSchema);
	if ('problems' in shaped) {
		return {why: firstOf(shaped.problems)};
	}

	const form = formOf(shaped.value, profiles);
	return {composition: {...form, source: {text, form}}, named: namedIn(shaped.value)};
};

const firstOf = (
	problems: readonly {readonly line: number; readonly column: number; readonly message: string}[],
): string => {
	const [first] = problems;
	const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
	return first === undefined
		? 'It is no plan.'
		: `${first.line}:${first.column}: ${first.message}${more}`;
};

const formOf = ({task, verify, target, agents}: PlanFile, profiles: readonly string[]): Form => {
	const ids = giveIds(agents);
	return {
		task,
		verify: joinCommands(verify),
		target: target ?? '',
		subtasks: agents.map(({subtask, goal, scope, agent}, index) => ({
			id: ids[index] ?? '',
			origin: index,
			subtask,
			goal: goal ?? '',
			allowed: joinWords(scope.allowed),
			forbidden: joinWords(scope.forbidden),
			agent: agentText(agent, profiles),
		})),
	};
};

const namedIn = ({agents}: PlanFile): readonly string[] =>
	agents.flatMap(({behavior, inputs}) => [
		...(behavior === undefined ? [] : [behavior]),
		...inputs,
	]);
