import {reasons} from '../../../rules/plan/completeness.ts';
import type {Composition} from '../model/composition.ts';
import type {Field} from '../model/field.ts';

/** A field that may be left empty, but that is missed then; `why` goes on after "so" or a colon. */
export type Missing = {readonly field: Field; readonly why: string};

/** Lists what a person is asked for before a plan is run, in the order of the form. */
export const missingFields = ({
	context,
	success,
	verify,
	subtasks,
	joining,
}: Composition): readonly Missing[] =>
	all({context, success, verify, subtasks}).filter(
		({field}) => joining === undefined || field.agent === joining,
	);

const all = ({
	context,
	success,
	verify,
	subtasks,
}: Pick<Composition, 'context' | 'success' | 'verify' | 'subtasks'>): readonly Missing[] => [
	...(isEmpty(context) ? [{field: {part: 'context'}, why: reasons.context} as const] : []),
	...(isEmpty(verify) ? [{field: {part: 'verify'}, why: reasons.verify} as const] : []),
	...subtasks.flatMap(({goal, metrics, allowed}, agent): readonly Missing[] => [
		...(isEmpty(goal) ? [{field: {part: 'goal', agent}, why: reasons.goal} as const] : []),
		...(isEmpty(metrics) && isEmpty(success)
			? [{field: {part: 'metrics', agent}, why: reasons.metrics} as const]
			: []),
		...(isEmpty(allowed) ? [{field: {part: 'allowed', agent}, why: reasons.allowed} as const] : []),
	]),
];

const isEmpty = (text: string): boolean => text.trim() === '';
