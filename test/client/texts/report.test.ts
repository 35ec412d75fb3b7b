import {describe, expect, it} from 'vitest';
import {
	markdown,
	reportContent,
	reportText,
	type Words,
} from '../../../src/client/texts/report/content.ts';
import {reportHtml} from '../../../src/client/texts/report/report-html.ts';
import {html, htmlText} from '../../../src/lib/html.ts';
import {type Report, reportOf} from '../../../src/rules/report/report.ts';
import {working} from '../../helpers/given.ts';
import {scopeLeft} from '../../helpers/happened.ts';
import {subtask} from '../../helpers/plan.ts';

const now = '2026-01-01T01:00:00.000Z';

/** The report of two agents, one of which told all that can be told of a work. */
const rich = (): Report => {
	const one = {
		...subtask('AGT-001'),
		goal: 'A *fast* start',
		metrics: ['below 20 ms'],
		expect: ['BENCHED'],
	};
	const session = working([one, 'AGT-002'], {
		plan: {success: ['below 20 ms', 'all tests pass'], verify: ['npm test -- <all>']},
	});
	session.tell(scopeLeft('etc/<x>.txt'));
	session.says(
		'AGT-001',
		`CHECKPOINT: Research complete
ERROR: TIMEOUT - The clock stood still
SUMMARY: It starts at once
[FINDING]
finding: Node starts in 19 ms
[/FINDING]
{"status": "ok", "artifacts": [{"path": "b.md", "title": "Bench"}]}
[COMPLETION_REPORT]
status: success
deliverables: [src/there.ts]
metrics_achieved: {start: 19 ms}
recommendations: [Measure it on Windows]
[/COMPLETION_REPORT]
`,
	);
	session.ends('AGT-001');
	const report = reportOf(session.events(), id =>
		id === 'AGT-001' ? {tokens: 1200, cost: {USD: 0.5}} : undefined,
	);
	if (report === undefined) {
		throw new Error('nothing is reported');
	}

	return report;
};

/** All words of a report, wherever they stand. */
const allWords = (report: Report): readonly Words[] => {
	const {facts, merges, agents, results, each, tables, timeline} = reportContent(report, now);
	return [
		...[...facts, ...each.flatMap(agent => agent.facts)].flatMap(({name, values}) => [
			name,
			...values,
		]),
		...merges,
		...[agents, results, ...tables, timeline].flatMap(({rows}) => rows.flat()),
	];
};

const plain = (words: Words): string =>
	typeof words === 'string'
		? words
		: words.map(part => (typeof part === 'string' ? part : part.code)).join('');

describe('the report for people', () => {
	it('says the same as Markdown and as a page', () => {
		const report = rich();
		const text = reportText(report, now);
		const page = reportHtml(report, now).replaceAll(/<\/?code>/g, '');
		for (const words of allWords(report)) {
			expect(text).toContain(markdown(words));
			expect(page).toContain(htmlText(html`${plain(words)}`));
		}
	});

	it('tells of an agent what it was to do, what it brings, and what of that is to be looked at', () => {
		const lines = reportText(rich(), now).split('\n');
		for (const line of [
			'- Done when: below 20 ms',
			'- Done when: all tests pass · not run: no check ran on the result; verify in the plan names one',
			'- Checked by: `npm test -- <all>`',
			String.raw`- Goal: A \*fast\* start`,
			'- Summary: It starts at once',
			'- Measured by: below 20 ms',
			'- Measured, it says: start: 19 ms',
			'- Found out: Node starts in 19 ms',
			'- Recommends: Measure it on Windows',
			'- It reported: finished Research',
			'- It reported: error TIMEOUT: The clock stood still',
			'- Worth a look: The plan expects BENCHED, and it never said so.',
			'- Reverted, out of its scope: `etc/<x>.txt`',
			'- Counted: 0 checkpoints, 0 questions, 1 error, 1 reverted',
		]) {
			expect(lines).toContain(line);
		}
	});

	it('sums up what was spent, and says who reported nothing of it', () => {
		const report = rich();
		expect(report.spent).toEqual({tokens: 1200, cost: {USD: 0.5}, unreported: ['AGT-002']});
		expect(reportText(report, now)).toContain(
			'- Spent: 1.2k tokens, $0.50, without AGT-002, which reported nothing\n',
		);
		expect(reportText({...report, spent: {unreported: ['AGT-002']}}, now)).toContain(
			'- Spent: no agent reported any\n',
		);
	});
});
