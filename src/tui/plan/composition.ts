import {byKey} from '../../lib/values.ts';
import {giveIds} from '../../rules/plan/agent-ids.ts';
import {
	type Field,
	knownFields,
	type PlanPart,
	planParts,
	type SubtaskPart,
	subtaskParts,
} from './fields.ts';

/** The form of one agent's subtask: a text for each field. */
export type SubtaskForm = {
	readonly id: string;
	/** Index of the agent in the file that it comes from. */
	readonly origin?: number;
} & Readonly<Record<SubtaskPart, string>>;

/** The form of a plan: a text for each field, parsed by the field's kind. */
export type PlanForm = {readonly subtasks: readonly SubtaskForm[]} & Readonly<
	Record<PlanPart, string>
>;

/** A plan that is being written. */
export type Composition = PlanForm & {
	/** File that it was opened from, and the form at that time: unchanged parts stay as they are in the file. */
	readonly source?: {readonly text: string; readonly form: PlanForm};
	/** True if rarely used fields are shown. */
	readonly all?: true;
	/** Index of the only subtask that can be edited, if the rest is that of a running session. */
	readonly joining?: number;
};

/** Maximum number of agents in the form; a file may have more. */
export const maximumSubtasks = 3;

export const beginComposition = (task: string, agent: string, context = ''): Composition =>
	withSubtask({...byKey(planParts, () => ''), task, context, subtasks: []}, agent);

/** Adds an empty subtask at the end. */
export const withSubtask = (composition: Composition, agent: string): Composition =>
	numbered({
		...composition,
		subtasks: [...composition.subtasks, {...emptySubtask, agent}],
	});

const emptySubtask: SubtaskForm = {...byKey(subtaskParts, () => ''), id: ''};

/** Adds an agent to the plan of a running session, of which only that can be edited. The session gives its id: the plan doesn't contain agents that were given up. */
export const beginJoining = (
	session: Composition,
	{id, agent, words}: {readonly id: string; readonly agent: string; readonly words: string},
): Composition =>
	joiningLast({
		...session,
		subtasks: [...session.subtasks, {...emptySubtask, id, agent, subtask: words}],
	});

/** Makes only the last subtask editable: that of an agent that joins a running session. */
export const joiningLast = (composition: Composition): Composition => ({
	...composition,
	joining: composition.subtasks.length - 1,
});

/** Returns whether the form contains anything about what agents should do. */
export const isDivided = ({subtasks}: PlanForm): boolean =>
	subtasks.some(({subtask, goal, allowed}) => `${subtask}${goal}${allowed}`.trim() !== '');

/** Removes a subtask. */
export const withoutSubtask = (composition: Composition, index: number): Composition =>
	numbered({...composition, subtasks: composition.subtasks.toSpliced(index, 1)});

/** Gives new subtasks the lowest free ids; an id of the file is not reused, since others may wait for its agent. */
const numbered = (composition: Composition): Composition => {
	const {subtasks, source} = composition;
	const inFile = source?.form.subtasks ?? [];
	const kept = subtasks.map(({id, origin}) => (origin === undefined ? {} : {id}));
	const ids = giveIds([...inFile, ...kept]).slice(inFile.length);
	return {
		...composition,
		subtasks: subtasks.map((subtask, index) => ({...subtask, id: ids[index] ?? subtask.id})),
	};
};

/** Returns the shown fields in order: rarely used ones only if they contain text, or did in the file. */
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

/** Returns whether `best_of` replaces the field `agent`. The hidden one comes after the other, so that nothing moves under the cursor. */
const isGivenToSeveral = ({subtasks}: PlanForm, {part, agent}: Field): boolean =>
	part === 'agent' && hasRivals(subtasks[agent]);

/** Returns whether a subtask has rivals, of which the best work is taken. */
export const hasRivals = (subtask: Pick<SubtaskForm, 'best_of'> | undefined): boolean =>
	(subtask?.best_of.trim() ?? '') !== '';

const isWritten = ({joining}: Composition, {agent}: Field): boolean =>
	joining === undefined || agent === joining;

const everyField = ({subtasks}: PlanForm): readonly Field[] => [
	...planParts.map(part => ({part})),
	...subtasks.flatMap((_, agent) => subtaskParts.map(part => ({part, agent}))),
];

/** Returns the text of a field when the file was opened; a field that is emptied must not vanish under the cursor. */
const textBefore = ({source, subtasks}: Composition, field: Field): string => {
	const before = source?.form;
	return before === undefined
		? ''
		: field.agent === undefined
			? before[field.part]
			: (before.subtasks[subtasks[field.agent]?.origin ?? -1]?.[field.part] ?? '');
};

export const writtenIn = (form: PlanForm, field: Field): string =>
	field.agent === undefined ? form[field.part] : (form.subtasks[field.agent]?.[field.part] ?? '');

export const withText = (composition: Composition, field: Field, text: string): Composition =>
	field.agent === undefined
		? {...composition, [field.part]: text}
		: {
				...composition,
				subtasks: composition.subtasks.map((subtask, index) =>
					index === field.agent ? {...subtask, [field.part]: text} : subtask,
				),
			};

/** Returns whether two plans have the same texts. */
export const isSameForm = (one: PlanForm, other: PlanForm): boolean =>
	one.subtasks.length === other.subtasks.length &&
	one.subtasks.every(({id}, index) => id === other.subtasks[index]?.id) &&
	everyField(one).every(field => writtenIn(one, field) === writtenIn(other, field));
