import {checkpoint} from './checkpoint/checkpoint.ts';
import type {Definition, InformingOf, SignalOf} from './definition.ts';
import {clarificationNeeded} from './definitions/clarification-needed.ts';
import {completionReport} from './definitions/completion-report.ts';
import {delegateWork} from './definitions/delegate-work.ts';
import {error} from './definitions/error.ts';
import {finding} from './definitions/finding.ts';
import {
	count,
	created,
	questionEscalated,
	status,
	summary,
	title,
	workflowComplete,
} from './definitions/metadata.ts';
import {phaseCheckpoint, progress} from './definitions/progress.ts';
import {result, resultTable} from './definitions/result.ts';
import {scopeRequest} from './definitions/scope-request.ts';
import {stopWork} from './definitions/stop-work.ts';
import type {Malformed} from './fields/unreadable.ts';
import type {ExpectedSignal} from './line-signal.ts';

export type {Checkpoint} from './checkpoint/checkpoint-reading.ts';
export type {Question} from './definitions/question.ts';
export type {Malformed} from './fields/unreadable.ts';

/** All signals, in the order of the documentation. A new one is its file and a line here. */
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

/** A signal that nothing waits for. */
export type Informing = InformingOf<(typeof signals)[number]> | ExpectedSignal;

/** Any signal that a parser returns. */
export type Signal = SignalOf<(typeof signals)[number]> | ExpectedSignal | Malformed;
