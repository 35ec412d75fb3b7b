import {firstLine} from '../../../lib/text/words.ts';
import {folded, oncePer} from '../../../lib/values.ts';
import type {Question} from '../../../signals/index.ts';
import type {Outside} from '../../agent/scope.ts';
import type {ItemOf} from '../../item.ts';
import type {State} from '../../state.ts';

/** Facts about an answer that the supervisor gathered, if the question needs them. */
export type SeenAnswer = {
	/** Result of the question's pattern. */
	readonly match?: 'matches' | 'differs' | 'too slow' | 'no pattern';
	/** Existence of its path in the agent's worktree; `elsewhere` is outside of it. */
	readonly path?: 'there' | 'missing' | 'elsewhere' | Outside;
};

/** Returns the options of a question, including implied ones. */
export const optionsOf = ({type, options}: Question): readonly string[] =>
	options.length === 0 && type === 'yes-no' ? ['yes', 'no'] : options;

/** Returns whether a question accepts an answer that is none of its options. */
export const isFree = ({type, options}: Question): boolean =>
	type === undefined ? options.length === 0 : !['choice', 'yes-no'].includes(type);

/** Returns whether an answer in a person's own words may be refused. */
export const isChecked = ({type, pattern}: Question): boolean =>
	pattern !== undefined || type === 'number' || type === 'path' || type === 'regex';

/** Returns the meaning of an answer: an option in the question's own spelling, any text if accepted, otherwise nothing. */
export const readAnswer = (question: Question, text: string): string | undefined => {
	const said = optionOf(question, text) ?? listOf(question, text);
	return said ?? (isFree(question) && text.trim() !== '' ? text : undefined);
};

/** Finds the option that a text means: `Yes` and `y` mean `yes`. */
const optionOf = (question: Question, text: string): string | undefined => {
	const options = optionsOf(question);
	const said = asTyped(text);
	const meant = options.filter(option => asTyped(option) === said);
	return (
		options.find(option => option === text) ??
		(meant.length === 1 ? meant[0] : undefined) ??
		(question.type === 'yes-no' && said !== ''
			? options.find(option => ['y', 'n'].includes(said) && asTyped(option).startsWith(said))
			: undefined)
	);
};

/** Reads a comma-separated list of options, if the question takes several. */
const listOf = (question: Question, text: string): string | undefined => {
	const options = text.split(',').map(word => optionOf(question, word));
	return question.multi === true && options.every(option => option !== undefined)
		? options.join(', ')
		: undefined;
};

const asTyped = (text: string): string => text.trim().toLowerCase();

/**
Returns the reason why an answer does not fit the question, or nothing if it does.

@param agent Agent whose worktree and scope a path belongs to.
@param seen Gathered facts; a missing one speaks against nothing.
*/
export const whyNoAnswer = (
	question: Question,
	text: string,
	agent: string,
	seen: SeenAnswer = {},
): string | undefined =>
	optionOf(question, text) !== undefined || listOf(question, text) !== undefined
		? undefined
		: (whyNoNumber(question, text) ??
			whyNoMatch(question, text, seen) ??
			whyNoPath(text, agent, seen));

const whyNoNumber = ({type}: Question, text: string): string | undefined =>
	type === 'number' && !NUMBER.test(text.trim()) ? `${quoted(text)} is not a number.` : undefined;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Returns the reason why an answer doesn't match the pattern; an invalid pattern accepts any answer. */
const whyNoMatch = (
	{pattern = ''}: Question,
	text: string,
	{match = 'matches'}: SeenAnswer,
): string | undefined => {
	switch (match) {
		case 'differs':
			return `${quoted(text)} does not match ${pattern}.`;
		case 'too slow':
			return `Matching this against ${pattern} takes too long; try a shorter answer.`;
		case 'no pattern':
			return pattern === '' ? `${quoted(text)} is not a regular expression.` : undefined;
		case 'matches':
			return undefined;
	}
};

const whyNoPath = (
	text: string,
	agent: string,
	{path = 'there'}: SeenAnswer,
): string | undefined => {
	switch (path) {
		case 'missing':
			return `There is no ${text.trim()} in the worktree of ${agent}.`;
		case 'elsewhere':
			return `${text.trim()} is not in the worktree of ${agent}.`;
		case 'not allowed':
		case 'forbidden':
		case 'global':
			return `${text.trim()} is outside the scope of ${agent}.`;
		case 'there':
			return undefined;
	}
};

const quoted = (text: string): string => `"${firstLine(text, 60)}"`;

/**
Returns other agents' open questions that ask the same: in the same words, with the same options, for an answer of the same type.

Spacing, case and the order of options are ignored.
*/
export const sameQuestions = (
	{items}: State,
	{agent, question}: Pick<ItemOf<'question'>, 'agent' | 'question'>,
): readonly ItemOf<'question'>[] =>
	items.filter(
		(other): other is ItemOf<'question'> =>
			other.kind === 'question' &&
			other.agent !== agent &&
			essenceOf(other.question) === essenceOf(question),
	);

/** Returns the comparable form of a question; cached, since each drawing of the inbox compares all of them. */
const essenceOf = oncePer((question: Question): string => {
	const {type = null, pattern = null, multi = false} = question;
	const options = optionsOf(question).map(folded).toSorted();
	return JSON.stringify([folded(question.question), options, type, pattern, multi]);
});

/** Identifies the questions that an agent asked at once. */
export type QuestionGroup = {readonly agent: string; readonly group: number};

/** Returns the open questions of a group, in the order in which they were asked: a snooze moves a question only in the inbox. */
export const openInGroup = ({items}: State, group: QuestionGroup): readonly ItemOf<'question'>[] =>
	items
		.filter(
			(item): item is ItemOf<'question'> =>
				item.kind === 'question' && item.agent === group.agent && item.group === group.group,
		)
		.toSorted((one, other) => one.number - other.number);
