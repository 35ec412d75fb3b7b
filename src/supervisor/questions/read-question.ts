import type {BodyOf, QuestionFile} from '../../events/event.ts';
import {defined} from '../../lib/defined.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import {readCall} from '../../signals/call.ts';
import type {Claimed} from './claim.ts';

type Clarification = Extract<BodyOf<'signal.said'>['signal'], {kind: 'clarification_needed'}>;

/** What a file of questions holds, in the words of a signal. */
export type ReadQuestion = {
	readonly signal: Clarification;
	readonly file: QuestionFile;
	readonly claimed: Claimed;
};

/** Reads a file of one question or of several; nothing when it holds none that can be read. */
export const readQuestion = (
	id: string,
	{text, owner}: {readonly text: string; readonly owner: number},
): ReadQuestion | undefined => {
	const fields = readJsonObject(text);
	const questions = fields && questionsOf(fields);
	const signal = questions && readCall('ask', questions);
	if (fields === undefined || signal?.kind !== 'clarification_needed') {
		return undefined;
	}

	const checkpoint = textOf(fields.checkpoint);
	const workflow = textOf(fields.workflow_id);
	const folders = [fields.directory, fields.cwd, checkpoint].map(textOf);
	return {
		signal,
		file: {id, owner, ...defined({checkpoint, workflow})},
		claimed: {
			id,
			workflow: workflow ?? '',
			askedBy: textOf(fields.asked_by) ?? '',
			paths: folders.filter(path => path !== undefined),
		},
	};
};

type Fields = Readonly<Record<string, unknown>>;

/** What is said of all questions of a file counts for each that doesn't say it itself. */
const questionsOf = (fields: Fields): Fields | undefined => {
	const {question, questions, all_required, context, ...rest} = fields;
	const about = pick(rest, ['blocked_at', 'current_state', 'default_wait', 'urgent']);
	if (Array.isArray(questions)) {
		const each = questions.map(one =>
			typeof one === 'object' && one !== null && context !== undefined ? {context, ...one} : one,
		);
		return {...about, ...defined({all_required}), questions: each};
	}

	const asked = pick(rest, ['options', 'type', 'pattern', 'multi', 'required']);
	return question === undefined
		? undefined
		: {...about, questions: [{question, ...asked, ...(context ? {context} : {})}]};
};

const pick = (fields: Fields, names: readonly string[]): Fields =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([name, value]) => names.includes(name) && value !== null && value !== undefined,
		),
	);

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
