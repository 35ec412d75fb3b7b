import {type Html, html, htmlText, shipped} from '../../../lib/html.ts';
import {elapsedMs} from '../../../lib/text/duration.ts';
import type {AgentReport, StateMove} from '../../../rules/report/agent-report.ts';
import type {Report} from '../../../rules/report/report.ts';
import {type ReportFact, reportContent, type Table, type Words} from './content.ts';

/** Returns the report of a session as a self-contained page; `now` is the end of running periods. */
export const reportHtml = (report: Report, now: string): string => {
	const {title, facts, merges, agents, results, each, tables, timeline} = reportContent(
		report,
		now,
	);
	const {startedAt, endedAt = now} = report.session;
	return htmlText(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${shipped(style)}</style>
<h1>${title}</h1>
${factsPart(facts)}
<h2>Result</h2>
${merges.length === 0 ? html`<p>Nothing was merged.</p>` : html`<ul>${merges.map(words => html`<li>${marked(words)}</li>`)}</ul>`}
<h2>Who did what when</h2>
${report.agents.map(agent => bar(agent, {from: startedAt, to: endedAt}))}
<p class="legend">${legend.map(([state, words]) => html`<span><i class="${state}"></i> ${words}</span> `)}</p>
<h2>Agents</h2>
${tablePart(agents)}
<h2>Results</h2>
${tablePart(results)}
${each.map(
	({id, subtask, facts}) => html`<h3>${id} ${subtask}</h3>
${factsPart(facts)}
`,
)}
${tables.map(
	table => html`<h2>${table.heading}</h2>
${tablePart(table)}
`,
)}<details><summary>Timeline</summary>
${tablePart(timeline)}
</details>
`);
};

const factsPart = (facts: readonly ReportFact[]): Html =>
	html`<dl>${facts.map(({name, values}) => html`<dt>${name}</dt>${values.map(value => html`<dd>${marked(value)}</dd>`)}\n`)}</dl>`;

/** Returns a table whose cells have their column's name, which a narrow screen shows beside them. */
const tablePart = ({head, rows}: Table): Html =>
	html`<table><thead><tr>${head.map(cell => html`<th>${cell}</th>`)}</tr></thead><tbody>
${rows.map(cells => html`<tr>${cells.map((cell, column) => html`<td data-name="${head[column]}">${marked(cell)}</td>`)}</tr>\n`)}</tbody></table>`;

const marked = (words: Words): Html =>
	typeof words === 'string'
		? html`${words}`
		: html`${words.map(part => (typeof part === 'string' ? part : html`<code>${part.code}</code>`))}`;

type Span = {readonly from: string; readonly to: string};

/** States of an agent that its bar distinguishes. */
const legend = [
	['RUNNING', 'working'],
	['CHECKPOINT', 'waiting for you'],
	['COMPLETE', 'finished'],
	['MERGED', 'merged'],
	['FAILED', 'failed'],
	['ABORTED', 'ended'],
] as const;

const bar = ({id, moves}: AgentReport, span: Span): Html => {
	const whole = Math.max(1, elapsedMs(span.from, span.to));
	const parts = moves.map((move, position) =>
		part(move, moves[position + 1]?.at ?? span.to, whole),
	);
	const before = elapsedMs(span.from, moves[0]?.at ?? span.to);
	return html`<div class="row"><b>${id}</b><div class="bar"><i style="flex:${before / whole}"></i>${parts}</div></div>
`;
};

const part = ({at, to, why}: StateMove, until: string, whole: number): Html =>
	html`<i class="${to}" style="flex:${elapsedMs(at, until) / whole}" title="${at} ${to}: ${why}"></i>`;

/** Style of a report: light or dark by the reader's preference, with table cells below each other on a phone. */
const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { margin-top: 2rem; font-size: 1.2rem; } h3 { margin-bottom: .3rem; font-size: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt { grid-column: 1; opacity: .7; } dd { grid-column: 2; margin: 0; white-space: pre-line; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; min-width: 3.8rem; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; }
th, td:first-child { white-space: nowrap; } th { opacity: .7; font-weight: 500; }
summary { margin-top: 2rem; font-size: 1.2rem; font-weight: bold; }
code { font: .92em ui-monospace, monospace; }
.row { display: flex; gap: 1rem; align-items: center; margin: .3rem 0; }
.row b { width: 5rem; font-weight: 500; }
.bar { display: flex; flex: 1; height: 1rem; background: #8882; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: 13px; }
.legend i { display: inline-block; width: .8rem; height: .8rem; vertical-align: -.1rem; }
.RUNNING { background: #3b82f6; } .CHECKPOINT { background: #f59e0b; } .COMPLETE { background: #14b8a6; }
.MERGED { background: #22c55e; } .FAILED { background: #ef4444; } .ABORTED { background: #6b7280; }
@media (max-width: 40rem) {
	body { margin: 1rem auto; }
	dl { display: block; } dt { margin-top: .4rem; font-size: 13px; }
	thead { display: none; }
	table, tbody, tr, td { display: block; }
	tr { padding: .4rem 0; border-bottom: 1px solid #8884; }
	td { display: flex; gap: 1rem; border: 0; padding: 0; white-space: normal; }
	td:empty { display: none; }
	td::before { content: attr(data-name); flex: 0 0 7rem; opacity: .7; }
}
`;
