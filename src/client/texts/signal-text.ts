import {counted, valueText} from '../../lib/text/words.ts';
import {noLine} from '../../signals/definition.ts';
import {type ResultSaid, resultRows} from '../../signals/definitions/result.ts';
import type {Signal} from '../../signals/index.ts';

/** Returns what a signal says as one line for a person, as what follows an agent's name. */
export const signalText = (signal: Signal): string => {
	switch (signal.kind) {
		case 'clarification_needed':
			return `asks: ${signal.questions.map(({question}) => question).join(' · ')}`;
		case 'stop_work':
			return `stops work: ${signal.details}`;
		case 'delegate_work':
			return `wants to delegate: ${tasksOf(signal).join(' · ')}`;
		case 'scope_request':
			return `asks to write outside its scope: ${signal.paths.join(', ')}${behind(': ', signal.reason)}`;
		case 'completion_report':
			return `reports completion: ${signal.status}`;
		case 'workflow_complete':
			return 'says that its workflow is complete';
		case 'question_escalated':
			return `leaves its question ${signal.value} to a person`;
		case 'checkpoint':
			return `checkpoint${signal.progress === undefined ? '' : ` at ${signal.progress} %`}`;
		case 'phase_checkpoint':
			return phaseText(signal);
		case 'finding':
			return `found out: ${signal.finding}`;
		case 'progress':
			return `progress: ${signal.phase} - ${signal.status}`;
		case 'error':
			return errorText(signal);
		case 'result':
			return `gives results: ${resultText(signal)}`;
		case 'summary':
			return `summary${signal.too_long ? ', longer than it should be' : ''}: ${signal.value}`;
		case 'created':
		case 'title':
		case 'status':
		case 'count':
			return `${signal.kind}: ${signal.value}`;
		case 'signal':
			return `${signal.name}: ${signal.value}`;
		case 'malformed':
			return `said a ${signal.signal} that can’t be read (${lineText(signal)}): ${signal.reason}`;
	}
};

type Of<Kind extends Signal['kind']> = Extract<Signal, {kind: Kind}>;

const errorText = ({category, description, context, recovery}: Of<'error'>): string =>
	`error${behind(' ', category)}: ${description}${behind(' · in: ', context)}${behind(' · may help: ', recovery)}`;

const phaseText = ({phase, artifacts, status}: Of<'phase_checkpoint'>): string =>
	`finished ${phase}${artifacts === undefined ? '' : `, ${counted(artifacts, 'artifact')}`}${behind(': ', status)}`;

const resultText = (said: ResultSaid): string => {
	const {status, metrics} = said;
	const rows = resultRows(said).map(({topic, path, status}) =>
		[topic || path, status].filter(word => word !== '').join(' '),
	);
	return [
		...(rows.length === 0 && status !== undefined ? [valueText(status)] : [rows.join(', ')]),
		...(metrics === undefined ? [] : [valueText(metrics)]),
	].join(' · ');
};

const tasksOf = ({new_task_description: tasks}: Of<'delegate_work'>): readonly string[] =>
	typeof tasks === 'string' ? [tasks] : tasks;

const behind = (words: string, text: string | null | undefined): string =>
	text ? `${words}${text}` : '';

const lineText = ({line}: Signal): string => (line === noLine ? 'by a tool' : `line ${line}`);
