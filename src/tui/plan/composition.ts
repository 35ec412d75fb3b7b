import {byKey} from '../../lib/values.ts';
import {
	type Field,
	knownFields,
	type PlanPart,
	planParts,
	type SubtaskPart,
	subtaskParts,
} from './fields.ts';

/** One agent's part as it is written in the form: a text for each field. */
export type SubtaskForm = {
	readonly id: string;
	/** Index of the agent in the file that it comes from. */
	readonly origin?: number;
} & Readonly<Record<SubtaskPart, string>>;

/** What a person writes of a plan: a text for each field, read as the field's kind says. */
export type PlanForm = {readonly subtasks: readonly SubtaskForm[]} & Readonly<
	Record<PlanPart, string>
>;

/** A plan that is being written. */
export type Composition = PlanForm & {
	/** The file it was begun from, and what the form was then: what the person didn't change stays as it is there. */
	readonly source?: {readonly text: string; readonly form: PlanForm};
	/** Whether fields are shown that few plans need. */
	readonly all?: true;
	/** The one agent whose part is written, where all else is that of a session under way. */
	readonly joining?: number;
};

/** The most agents that a plan is composed of here; a file may hold more. */
export const maximumSubtasks = 3;

/** Begins a plan with one agent. */
export const beginComposition = (task: string, agent: string, context = ''): Composition =>
	withSubtask({...byKey(planParts, () => ''), task, context, subtasks: []}, agent);

/** Adds an agent's part at the end, to be written. */
export const withSubtask = (composition: Composition, agent: string): Composition =>
	numbered({
		...composition,
		subtasks: [...composition.subtasks, {...emptySubtask, agent}],
	});

const emptySubtask: SubtaskForm = {...byKey(subtaskParts, () => ''), id: ''};

/** Adds an agent to the plan of a session under way, of which nothing else is to be written. Its id is the session's to give: the plan doesn't name those that were given up. */
export const beginJoining = (
	session: Composition,
	{id, agent, words}: {readonly id: string; readonly agent: string; readonly words: string},
): Composition =>
	joiningLast({
		...session,
		subtasks: [...session.subtasks, {...emptySubtask, id, agent, subtask: words}],
	});

/** Leaves but the last agent's part of a plan to be written: that of one that joins the session of the others. */
export const joiningLast = (composition: Composition): Composition => ({
	...composition,
	joining: composition.subtasks.length - 1,
});

/** Returns whether anything stands in the form of what agents are to do. */
export const isDivided = ({subtasks}: PlanForm): boolean =>
	subtasks.some(({subtask, goal, allowed}) => `${subtask}${goal}${allowed}`.trim() !== '');

/** Takes an agent's part out. */
export const withoutSubtask = (composition: Composition, index: number): Composition =>
	numbered({...composition, subtasks: composition.subtasks.toSpliced(index, 1)});

/** Gives those that are in no file yet the lowest ids that are free; an id of the file is not given again, since others may wait for whom it named. */
const numbered = (composition: Composition): Composition => {
	const {subtasks, source} = composition;
	const taken = new Set((source?.form.subtasks ?? []).map(({id}) => id));
	let number = 0;
	const next = (): string => {
		do {
			number += 1;
		} while (taken.has(idOf(number)));
		return idOf(number);
	};

	return {
		...composition,
		subtasks: subtasks.map(subtask =>
			subtask.origin === undefined ? {...subtask, id: next()} : subtask,
		),
	};
};

const idOf = (number: number): string => `AGT-${String(number).padStart(3, '0')}`;

/** Returns the fields that are shown, in the order they stand in: of those that few plans need the ones that are written in, or were in the file. */
export const fieldsOf = (composition: Composition): readonly Field[] =>
	everyField(composition).filter(
		field =>
			isWritten(composition, field) &&
			!isGivenToSeveral(composition, field) &&
			(composition.all === true ||
				knownFields[field.part].isRare === undefined ||
				writtenIn(composition, field) !== '' ||
				textBefore(composition, field) !== ''),
	);

/** Returns whether `best_of` replaces the field `agent`. The hidden one comes behind the other, so that nothing moves under the cursor. */
const isGivenToSeveral = ({subtasks}: PlanForm, {part, agent}: Field): boolean =>
	part === 'agent' && hasRivals(subtasks[agent]);

/** Returns whether a part is given to several agents, of whose works the best is taken. */
export const hasRivals = (subtask: Pick<SubtaskForm, 'best_of'> | undefined): boolean =>
	(subtask?.best_of.trim() ?? '') !== '';

const isWritten = ({joining}: Composition, {agent}: Field): boolean =>
	joining === undefined || agent === joining;

const everyField = ({subtasks}: PlanForm): readonly Field[] => [
	...planParts.map(part => ({part})),
	...subtasks.flatMap((_, agent) => subtaskParts.map(part => ({part, agent}))),
];

/** Returns what stood in a field when the file was opened; what is emptied must not vanish under the cursor. */
const textBefore = ({source, subtasks}: Composition, field: Field): string => {
	const before = source?.form;
	return before === undefined
		? ''
		: field.agent === undefined
			? before[field.part]
			: (before.subtasks[subtasks[field.agent]?.origin ?? -1]?.[field.part] ?? '');
};

/** Returns what is written in a field. */
export const writtenIn = (form: PlanForm, field: Field): string =>
	field.agent === undefined ? form[field.part] : (form.subtasks[field.agent]?.[field.part] ?? '');

/** Returns the plan with a field written again. */
export const withText = (composition: Composition, field: Field, text: string): Composition =>
	field.agent === undefined
		? {...composition, [field.part]: text}
		: {
				...composition,
				subtasks: composition.subtasks.map((subtask, index) =>
					index === field.agent ? {...subtask, [field.part]: text} : subtask,
				),
			};

/** Tells whether two plans have the same words in them. */
export const isSameForm = (one: PlanForm, other: PlanForm): boolean =>
	one.subtasks.length === other.subtasks.length &&
	one.subtasks.every(({id}, index) => id === other.subtasks[index]?.id) &&
	everyField(one).every(field => writtenIn(one, field) === writtenIn(other, field));
