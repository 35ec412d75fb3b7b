import {checkpoint} from './checkpoint.ts';
import {clarificationNeeded} from './clarification-needed.ts';
import {completionReport} from './completion-report.ts';
import {count} from './count.ts';
import {created} from './created.ts';
import type {Definition, SignalOf} from './definition.ts';
import {delegateWork} from './delegate-work.ts';
import {error} from './error.ts';
import type {ExpectedSignal} from './expected.ts';
import {finding} from './finding.ts';
import type {Malformed} from './malformed.ts';
import {phaseCheckpoint} from './phase-checkpoint.ts';
import {progress} from './progress.ts';
import {questionEscalated} from './question-escalated.ts';
import {result} from './result.ts';
import {resultTable} from './result-table.ts';
import {scopeRequest} from './scope-request.ts';
import {status} from './status.ts';
import {stopWork} from './stop-work.ts';
import {summary} from './summary.ts';
import {title} from './title.ts';
import {workflowComplete} from './workflow-complete.ts';

export type {Checkpoint} from './checkpoint-reading.ts';
export type {Malformed} from './malformed.ts';
export type {Question} from './question.ts';

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
