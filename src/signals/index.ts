import {checkpoint} from './checkpoint/checkpoint.ts';
import type {Definition, SignalOf} from './definition.ts';
import {clarificationNeeded} from './definitions/clarification-needed.ts';
import {completionReport} from './definitions/completion-report.ts';
import {count} from './definitions/count.ts';
import {created} from './definitions/created.ts';
import {delegateWork} from './definitions/delegate-work.ts';
import {error} from './definitions/error.ts';
import {finding} from './definitions/finding.ts';
import {phaseCheckpoint} from './definitions/phase-checkpoint.ts';
import {progress} from './definitions/progress.ts';
import {questionEscalated} from './definitions/question-escalated.ts';
import {result} from './definitions/result.ts';
import {resultTable} from './definitions/result-table.ts';
import {scopeRequest} from './definitions/scope-request.ts';
import {status} from './definitions/status.ts';
import {stopWork} from './definitions/stop-work.ts';
import {summary} from './definitions/summary.ts';
import {title} from './definitions/title.ts';
import {workflowComplete} from './definitions/workflow-complete.ts';
import type {ExpectedSignal} from './expected.ts';
import type {Malformed} from './malformed.ts';

export type {Checkpoint} from './checkpoint/checkpoint-reading.ts';
export type {Question} from './definitions/question.ts';
export type {Malformed} from './malformed.ts';

/** Every signal there is, in the order people read about them. A new one is its file and a line here. */
export const signals = [
	clarificationNeeded,
	stopWork,
	delegateWork,
	scopeRequest,
	checkpoint,
	completionReport,
	workflowComplete,
	questionEscalated,
	finding,
	progress,
	phaseCheckpoint,
	created,
	title,
	summary,
	status,
	count,
	error,
	result,
	resultTable,
] as const satisfies readonly Definition[];

/** What an agent can be heard to say. */
export type Signal = SignalOf<(typeof signals)[number]> | ExpectedSignal | Malformed;
