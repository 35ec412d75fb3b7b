import {defined} from '../../lib/defined.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {optionsOf} from '../../state/items/question/answer.ts';

/** Returns the file of an open question. */
export const pendingJson = (record: QuestionRecord, workflow: string, checkpoint: string) => ({
	question: record.question.question,
	options: optionsOf(record.question),
	workflow_id: workflow,
	checkpoint,
	asked_at: record.askedAt,
	asked_by: record.agent,
	context: record.question.context ?? record.workStatus?.blockedAt ?? '',
	...defined({
		type: record.question.type,
		pattern: record.question.pattern,
		multi: record.question.multi,
		urgent: record.question.urgent,
		blocked_at: record.workStatus?.blockedAt,
		current_state: record.workStatus?.currentState,
	}),
	required: record.question.required,
	group: record.group,
	...(record.pausedAt === undefined ? {deadline: record.deadline} : {paused_at: record.pausedAt}),
});

/** Returns what is added to the file of a question that waits no longer. */
export const answeredJson = ({closed}: QuestionRecord) =>
	closed?.how === 'answered'
		? {
				answer: closed.answer,
				...defined({note: closed.note}),
				answered_at: closed.at,
				answered_by: closed.by,
				answered_from: closed.from,
				path: closed.path,
			}
		: {answer: null, ...defined({closed_at: closed?.at})};

/** Returns what an agent reads as the answer to what it asked in one file: of several questions each has a line, with its name; null as long as there is no answer. */
export const answersText = (records: readonly QuestionRecord[]): string | null => {
	const lines = records.flatMap(({question, closed}) =>
		closed?.how !== 'answered'
			? []
			: [records.length === 1 ? closed.answer : `${question.id ?? ''}: ${closed.answer}`],
	);
	return lines.length === 0 ? null : lines.join('\n');
};

/** Returns the checkpoint of an agent that waits for an answer, or goes on with it. */
export const checkpointJson = (
	{workStatus, question}: QuestionRecord,
	agent: Agent,
	given: {readonly workflow: string; readonly tree: string; readonly answer: string | null},
) => {
	const snapshot = agent.snapshots.at(-1);
	return {
		workflow_id: given.workflow,
		workflow_type: 'delegate-tui',
		current_step: workStatus?.blockedAt ?? agent.updates.phase ?? agent.subtask.subtask,
		completed_steps: workStatus?.currentState === undefined ? [] : [workStatus.currentState],
		pending_steps: [agent.subtask.goal ?? agent.subtask.subtask],
		files: {worktree: given.tree},
		state_variables: {
			agent: agent.id,
			progress: agent.progress,
			...defined({snapshot: snapshot?.number, commit: snapshot?.commit}),
		},
		context: question.context ?? question.question,
		next_action: `go on with the answer to: ${question.question}`,
		user_answer: given.answer,
	};
};
