/** Words of a report in which code is told apart: nothing has a meaning in it. */
export type Words = string | readonly (string | Code)[];

/** A path, a glob or a command. */
export type Code = {readonly code: string};

/** Something that is known, under its name, and what there is of it. */
export type Fact = {readonly name: string; readonly values: readonly Words[]};

/** Rows with as many cells as the head has. */
export type Table = {
	readonly head: readonly string[];
	readonly rows: readonly (readonly Words[])[];
};

export const code = (text: string): readonly Code[] => [{code: text}];

export const fact = (name: string, ...values: readonly Words[]): Fact => ({name, values});

/** Returns all of several texts as code, with commas between them. */
export const listed = (texts: readonly string[]): Words =>
	texts.flatMap((text, position) => [...(position === 0 ? [] : [', ']), {code: text}]);
