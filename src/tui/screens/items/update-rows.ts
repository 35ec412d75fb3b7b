import {resultText} from '../../../client/texts/reported-text.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {resultsOf} from '../../../state/agent/results.ts';
import {quoted} from '../../rows/quoted.ts';
import {bullets, type Row, section} from '../../rows/row.ts';

/** Returns what an agent said of its work besides the files: what it recommends, its results, what it found out, which phases it finished and which errors it met. */
export const updateRows = (agent: Agent, columns: number): readonly Row[] => {
	const {report, updates} = agent;
	const {summary, findings, phases, errors} = updates;
	return [
		...section('Summary', summary === undefined ? [] : quoted(summary.value, columns)),
		...section('It recommends', bullets(report?.recommendations ?? [], columns)),
		...section('Its results', bullets(resultsOf(agent).map(resultText), columns)),
		...section(
			'It found out',
			bullets(
				findings.map(({finding, topic}) => joined([topic, finding])),
				columns,
			),
		),
		...section('Phases it finished', bullets(phases.map(phaseText), columns)),
		...section('Errors it met', bullets(errors.map(errorText), columns, 'warn')),
	];
};

type Updates = Agent['updates'];

const phaseText = ({phase, artifacts, status}: Updates['phases'][number]): string =>
	joined([phase, artifacts === undefined ? undefined : `${artifacts} artifacts`, status]);

const errorText = ({category, description, context, recovery}: Updates['errors'][number]): string =>
	joined([
		category ?? undefined,
		description,
		context === undefined ? undefined : `in: ${context}`,
		recovery === undefined ? undefined : `may help: ${recovery}`,
	]);

const joined = (words: readonly (string | undefined)[]): string =>
	words.filter(word => word !== undefined).join(' · ');
