import {type Html, html, htmlText, shipped} from '../../lib/html.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import {elapsedMs} from '../../lib/time.ts';
import type {AgentReport, Move} from '../../rules/report/agent-report.ts';
import type {Report} from '../../rules/report/report.ts';
import {checkedText, spentText} from './report-text.ts';

/** Returns the report of a session as one page that loads nothing from elsewhere; `now` ends what goes on. */
export const reportHtml = (report: Report, now: string): string => {
	const {session, agents, merges, decisions, skipped, checks} = report;
	const span = {from: session.startedAt, to: session.endedAt ?? now};
	return htmlText(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${session.task}</title>
<style>${shipped(style)}</style>
<h1>${session.task}</h1>
<p>Session ${session.id} into ${session.target}: ${session.status}${session.why === undefined ? '' : `, ${session.why}`}. ${span.from} to ${session.endedAt ?? 'now'}, ${formatDuration(elapsedMs(span.from, span.to))}.</p>
<h2>Result</h2>
${list(merges.map(({at, what, commit, tree, checked}) => `${at} ${what} ${shortOid(commit)}${tree === undefined ? '' : `, tree ${shortOid(tree)}, ${checkedText(checked)}`}`))}
<h2>Timeline</h2>
${agents.map(agent => bar(agent, span))}
<p class="legend">${legend.map(([state, words]) => html`<i class="${state}"></i> ${words} `)}</p>
<h2>Agents</h2>
${table(
	['agent', 'subtask', 'state', 'files', 'turns', 'worked', 'waited for you', 'spent'],
	agents.map(agent => [
		agent.id,
		agent.subtask,
		agent.state,
		`${agent.files}`,
		`${agent.turns}`,
		formatDuration(agent.workedMs),
		formatDuration(agent.waitedMs),
		spentText(agent),
	]),
)}
<h2>Decisions</h2>
${table(
	['when', 'item', 'about', 'decision', 'who', 'note'],
	decisions.map(({at, item, title = '', choice, by, note = ''}) => [
		at,
		item,
		title,
		choice,
		by === 'user' ? 'a person' : by,
		note,
	]),
)}
${skippedPart(skipped)}<h2>Checks</h2>
${table(
	['when', 'result', 'outcome', 'commands'],
	checks.map(({at, commit, ok, commands}) => [
		at,
		shortOid(commit),
		ok ? 'passed' : 'failed',
		commands.map(({command, code}) => `${command}: ${code ?? 'did not end'}`).join(', '),
	]),
)}
`);
};

const skippedPart = (skipped: Report['skipped']): string =>
	skipped.length === 0
		? ''
		: `<h2>Skipped</h2>
${table(
	['when', 'agent', 'what', 'why', 'note'],
	skipped.map(({at, agent, what, why, note = ''}) => [at, agent, what, why, note]),
)}
`;

type Span = {readonly from: string; readonly to: string};

/** The states of an agent's life that are told apart in its bar. */
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

const part = ({at, to, why}: Move, until: string, whole: number): Html =>
	html`<i class="${to}" style="flex:${elapsedMs(at, until) / whole}" title="${at} ${to}: ${why}"></i>`;

const list = (lines: readonly string[]): Html =>
	lines.length === 0
		? html`<p>Nothing was merged.</p>`
		: html`<ul>${lines.map(line => html`<li>${line}</li>`)}</ul>`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): Html =>
	rows.length === 0
		? html`<p>None.</p>`
		: html`<table><tr>${head.map(cell => html`<th>${cell}</th>`)}</tr>
${rows.map(cells => html`<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>\n`)}</table>`;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #8884; }
td { overflow-wrap: anywhere; }
.row { display: flex; gap: 1rem; align-items: center; margin: .3rem 0; }
.row b { width: 6rem; font-weight: 500; }
.bar { display: flex; flex: 1; height: 1rem; background: #8882; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-left: .8rem; vertical-align: -.1rem; }
.RUNNING { background: #3b82f6; } .CHECKPOINT { background: #f59e0b; } .COMPLETE { background: #14b8a6; }
.MERGED { background: #22c55e; } .FAILED { background: #ef4444; } .ABORTED { background: #6b7280; }
`;
