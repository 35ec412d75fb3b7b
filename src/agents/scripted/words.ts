import {defined} from '../../lib/values.ts';
import {checkpoint} from '../../signals/checkpoint/checkpoint.ts';
import {clarificationNeeded} from '../../signals/definitions/clarification-needed.ts';
import {completionReport} from '../../signals/definitions/completion-report.ts';
import {delegateWork} from '../../signals/definitions/delegate-work.ts';
import {scopeRequest} from '../../signals/definitions/scope-request.ts';
import {stopWork} from '../../signals/definitions/stop-work.ts';
import type {SceneStep} from './scene.ts';

/** Any line, since the line of a printed signal doesn't matter. */
const line = 1;

/** Returns the words of a step, if it has any. */
export const spokenWords = (step: SceneStep): string | undefined => {
	switch (step.verb) {
		case 'say':
			return `${step.does}\n`;
		case 'ask': {
			const questions = [{...step.does, required: true}];
			return clarificationNeeded.print({
				kind: 'clarification_needed',
				line,
				questions,
				all_required: true,
			});
		}

		case 'checkpoint': {
			const {blockers = null, ...said} = step.does;
			return checkpoint.print({kind: 'checkpoint', line, blockers, ...said});
		}

		case 'stop': {
			const {details, needs} = step.does;
			const wanted = defined({resume_requirements: needs});
			return stopWork.print({kind: 'stop_work', line, details, ...wanted});
		}

		case 'widen':
			return scopeRequest.print({kind: 'scope_request', line, ...step.does});
		case 'delegate': {
			const {task, blocks, coordination} = step.does;
			return delegateWork.print({
				kind: 'delegate_work',
				line,
				new_task_description: task,
				independence: blocks ? 'blocks_current_work' : 'can_proceed_parallel',
				...defined({coordination}),
			});
		}

		case 'complete': {
			const {metrics, ...said} = step.does;
			const achieved = defined({metrics_achieved: metrics});
			return completionReport.print({kind: 'completion_report', line, ...said, ...achieved});
		}

		default:
			return undefined;
	}
};

/** Returns whether an agent waits for a prompt after a step. */
export const endsTurn = (step: SceneStep): boolean =>
	['ask', 'checkpoint', 'widen', 'stop', 'complete'].includes(step.verb) ||
	(step.verb === 'delegate' && step.does.blocks);

/** Returns whether a tool told the agent to end its turn. */
export const isTurnToEnd = (told: string): boolean => told.includes('End your turn now');

/** Returns a step with `{{id}}` in its texts replaced by the known answers. */
export const filledIn = <T>(value: T, answers: Readonly<Record<string, string>>): T =>
	JSON.parse(JSON.stringify(value), (_, part: unknown) =>
		typeof part === 'string'
			? part.replaceAll(/\{\{([\w-]+)\}\}/g, (blank, id: string) => answers[id] ?? blank)
			: part,
	);

/** Returns the answers in a prompt, by the ids of their questions. */
export const answersIn = (prompt: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		[...prompt.matchAll(/^ANSWER ([\w-]+): (.*)$/gm)].map(([, id = '', text = '']) => [id, text]),
	);
