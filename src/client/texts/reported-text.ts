import type {ResultRow} from '../../signals/result-rows.ts';
import type {ReportDetail} from '../../state/items/report-detail.ts';
import {type Fact, factLines} from './fact-lines.ts';
import {signalText} from './signal-text.ts';

/** Returns what an agent says of its work as a whole, a line for each thing. */
export const reportedText = ({
	summary,
	deliverables = [],
	metrics = [],
	metrics_achieved: measured,
	results = [],
	recommendations = [],
	phases = [],
	errors = [],
	findings = [],
}: Partial<ReportDetail>): readonly string[] => [
	...factLines([
		['Summary', summary],
		['Delivered, it says', deliverables],
		['Measured by', metrics],
		['Measured, it says', measured],
		...results.map((result): Fact => ['Result', resultText(result)]),
		...recommendations.map((words): Fact => ['Recommends', words]),
	]),
	...[...phases, ...findings, ...errors].map(said => `It reported: ${signalText(said)}`),
];

/** Returns a result as an agent told it. */
export const resultText = ({topic, status, path, summary}: ResultRow): string =>
	[topic, status, path, summary].filter(word => word !== '').join(' · ');
