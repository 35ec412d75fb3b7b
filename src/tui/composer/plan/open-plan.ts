import {stringify} from 'yaml';
import {byKey} from '../../../lib/by-key.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import {readYaml} from '../../../lib/text/yaml-document.ts';
import {giveIds} from '../../../rules/plan/agents/agent-ids.ts';
import {type PlanFile, planSchema, type SubtaskEntry} from '../../../rules/plan/schema.ts';
import {checkShape} from '../../../rules/plan/shape.ts';
import {joinCommands} from '../command-list.ts';
import type {Composition, Form} from '../model/composition.ts';
import {
	knownFields,
	type PlanPart,
	planParts,
	type SubtaskPart,
	subtaskParts,
} from '../model/field.ts';
import {joinWords} from '../word-list.ts';
import {agentText} from './agent-text.ts';

/** A plan file in the form, or why it can't be. */
export type OpenedPlan = {readonly composition: Composition} | {readonly why: string};

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
	return {composition: {...form, source: {text, form}}};
};

const firstOf = (
	problems: readonly {readonly line: number; readonly column: number; readonly message: string}[],
): string => {
	const [first] = problems;
	const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
	return first === undefined
		? 'It is not a plan.'
		: `${first.line}:${first.column}: ${first.message}${more}`;
};

const formOf = (plan: PlanFile, profiles: readonly string[]): Form => {
	const ids = giveIds(plan.agents);
	return {
		...byKey(planParts, part => textAt(plan, part, profiles)),
		subtasks: plan.agents.map((entry, index) => ({
			...byKey(subtaskParts, part => textAt(entry, part, profiles)),
			id: ids[index] ?? '',
			origin: index,
		})),
	};
};

/** What a plan says by saying nothing stands in no field. */
const defaults: Readonly<Partial<Record<PlanPart | SubtaskPart, string>>> = {
	supervision: 'supervised',
	thinking: 'standard',
};

/** Writes what stands in a part of the file as a field's text, in the way that the field is read. */
const textAt = (
	entry: PlanFile | SubtaskEntry,
	part: PlanPart | SubtaskPart,
	profiles: readonly string[],
): string => {
	const {kind, path} = knownFields[part];
	if (kind === 'agent') {
		return 'subtask' in entry ? agentText(entry.agent, profiles) : '';
	}

	const value = path.reduce<unknown>((map, key) => recordOf(map)[key], entry);
	const list = Array.isArray(value) ? value.map(String) : [];
	switch (kind) {
		case 'words':
			return joinWords(list);
		case 'lines':
			return joinCommands(list);
		case 'yaml':
			return value === undefined ? '' : stringify(value).trimEnd();
		case 'number':
		case 'word':
		case 'text': {
			const text = part === 'timeout' ? durationText(value) : String(value ?? '');
			return text === defaults[part] ? '' : text;
		}
	}
};

const durationText = (value: unknown): string =>
	typeof value === 'number' ? formatDuration(value) : '';

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null ? {...value} : {};
