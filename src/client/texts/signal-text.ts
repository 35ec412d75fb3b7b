import {noLine} from '../../signals/definition.ts';
import type {Signal} from '../../signals/index.ts';

/** Returns what a signal says as one line for a person, as what follows an agent's name. */
export const signalText = (signal: Signal): string => {
	switch (signal.kind) {
		case 'clarification_needed':
			return `asks: ${signal.questions.map(({question}) => question).join(' · ')}`;
		case 'stop_work':
			return `stops work: ${signal.details}`;
		case 'delegate_work':
			return 'wants to delegate work';
		case 'completion_report':
			return `reports completion: ${signal.status}`;
		case 'checkpoint':
			return `checkpoint${signal.progress === undefined ? '' : ` at ${signal.progress} %`}`;
		case 'finding':
			return `found out: ${signal.finding}`;
		case 'progress':
			return `progress: ${signal.phase} - ${signal.status}`;
		case 'error':
			return `error: ${signal.description}`;
		case 'malformed':
			return `said a ${signal.signal} that can't be read (${placeOf(signal)}): ${signal.reason}`;
		default:
			return 'value' in signal ? `${signal.kind}: ${signal.value}` : `said ${signal.kind}`;
	}
};

const placeOf = ({line}: Signal): string => (line === noLine ? 'by a tool' : `line ${line}`);
