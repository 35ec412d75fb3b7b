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
