/** One agent's part as it is written in the form: a text for each field. */
export type SubtaskForm = {
	readonly id: string;
	/** Which of the agents of the file it was begun from it is. */
	readonly origin?: number;
	readonly subtask: string;
	readonly goal: string;
	/** Globs, as `splitWords` reads them. */
	readonly allowed: string;
	readonly forbidden: string;
	/** A profile's name or a command line, as `agentEntry` reads it. */
	readonly agent: string;
};

/** What a person writes of a plan. */
export type Form = {
	readonly task: string;
	/** Commands, as `splitCommands` reads them. */
	readonly verify: string;
	readonly target: string;
	readonly subtasks: readonly SubtaskForm[];
};

/** A plan that is being written. */
export type Composition = Form & {
	/** The file it was begun from, and what the form was then: all that the form has no field for stays as it is there. */
	readonly source?: {readonly text: string; readonly form: Form};
};

/** A field of the form; those of an agent's part say which one's. */
export type Field =
	| {readonly part: 'task' | 'verify' | 'target'; readonly agent?: undefined}
	| {readonly part: SubtaskPart; readonly agent: number};

type SubtaskPart = (typeof subtaskParts)[number];

const subtaskParts = ['subtask', 'goal', 'allowed', 'forbidden', 'agent'] as const;

/** The most agents that a plan is composed of here; a file may hold more. */
export const maximumSubtasks = 3;

/** Begins a plan with one agent. */
export const beginComposition = (task: string, agent: string): Composition =>
	withSubtask({task, verify: '', target: '', subtasks: []}, agent);

/** Adds an agent's part at the end, to be written. */
export const withSubtask = (composition: Composition, agent: string): Composition =>
	numbered({
		...composition,
		subtasks: [
			...composition.subtasks,
			{id: '', subtask: '', goal: '', allowed: '', forbidden: '', agent},
		],
	});

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

/** Returns the fields of a plan, in the order they stand in. */
export const fieldsOf = ({subtasks}: Form): readonly Field[] => [
	{part: 'task'},
	{part: 'verify'},
	{part: 'target'},
	...subtasks.flatMap((_, agent) => subtaskParts.map(part => ({part, agent}))),
];

/** Returns what is written in a field. */
export const textOf = (form: Form, field: Field): string =>
	field.agent === undefined ? form[field.part] : (form.subtasks[field.agent]?.[field.part] ?? '');

/** Returns the plan with a field written anew. */
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
export const isSameForm = (one: Form, other: Form): boolean =>
	one.subtasks.length === other.subtasks.length &&
	one.subtasks.every(({id}, index) => id === other.subtasks[index]?.id) &&
	fieldsOf(one).every(field => textOf(one, field) === textOf(other, field));
