import {detailText} from '../../client/texts/describe.ts';
import {closedText} from '../../client/texts/item-text.ts';
import {type Html, html, htmlText, shipped} from '../../lib/html.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {type InboxItem, inbox, shownItems, withValues} from '../../rules/inbox.ts';
import {noticesOf} from '../../rules/notices.ts';
import type {Closed, QuestionRecord} from '../../rules/question-record.ts';
import {sessionStatus, statusOf} from '../../rules/status.ts';
import {type DecidableChoice, decidable, questionForms} from './question-forms.ts';
import {nameOnPage, type PageView} from './view.ts';

/** Style and script of the page, which loads nothing. */
export type Assets = {readonly style: string; readonly script: string};

/** Parts of the page that change while it is open. */
export type ShownPage = {readonly title: string; readonly body: string};

/** Returns the page for a browser. */
export const pageOf = (view: PageView, {style, script}: Assets): string =>
	wholePage({
		title: titleOf(view),
		style,
		body: html`<body>
<p id="lost" role="alert" hidden>Not connected: what is shown may be old. Once <code>delegate-tui web</code> has ended, it gives a new link.</p>
<noscript><p>This page needs JavaScript. In a terminal, <code>delegate-tui answer</code> does the same.</p></noscript>
<div id="page">${bodyOf(view)}</div>
<p id="said" role="status" hidden></p>
<script>${shipped(script)}</script>
</body>`,
	});

/** Returns the changing parts, for a page that is already open. */
export const shownOn = (view: PageView): ShownPage => ({
	title: titleOf(view),
	body: htmlText(bodyOf(view)),
});

const titleOf = ({project, session}: PageView): string => {
	const count = shownItems(session.state).length;
	return `${count === 0 ? '' : `(${count}) `}${project} · delegate-tui`;
};

const bodyOf = (view: PageView): Html => {
	const items = inbox(view.session.state).map(item => withValues(item, view.session.sets ?? {}));
	const questions = items.filter(({kind}) => kind === 'question');
	const others = items.filter(({kind}) => kind !== 'question');
	return html`${header(view, items.length)}
<main>
<div class="column">
${questionForms(view, questions)}
${otherItems(view, others)}
</div>
<div class="column">
${board(view)}
${answeredSection(view)}
</div>
</main>`;
};

/** Renders the last closed questions, so that a person who was about to answer sees who was faster. */
const answeredSection = (view: PageView): Html => {
	const closed = view.session.records.flatMap(record =>
		record.closed === undefined ? [] : [{record, closed: record.closed}],
	);
	const last = closed.toSorted((one, other) => (one.closed.at < other.closed.at ? 1 : -1));
	return html`<section aria-label="Answered" data-live="answered">
${closed.length > 0 && html`<h2 class="heading">Answered</h2>`}
${last.slice(0, mostShown).map(({record, closed}) => entry(view, record, closed))}
${last.length > mostShown && html`<details><summary>${last.length - mostShown} more</summary>${last.slice(mostShown).map(({record, closed}) => entry(view, record, closed))}</details>`}
</section>`;
};

const mostShown = 10;

/** Renders a closed question; `data-why` is for a page on which a person was about to answer it. */
const entry = (view: PageView, {item, agent, question}: QuestionRecord, closed: Closed): Html =>
	html`<article class="answered" data-closed="${nameOnPage(view, item)}" data-why="${item}: ${closedText(closed)}"><p>${question.question}</p>
<p class="end">${closed.how === 'answered' && html`<b>${closed.answer}</b> `}<small>${item} of ${agent}, ${closed.how === 'answered' ? `from ${closed.from}` : 'which no agent needs any more'}</small></p></article>
`;

/** Renders all agents at a glance: their state, progress and waits. */
const board = ({session: {state}, now}: PageView): Html => {
	const {agents} = statusOf(state, () => ({worktree: '', branch: ''}), thisMoment(now));
	return html`<section aria-label="Agents" data-live="agents">
${agents.length > 0 && html`<h2 class="heading">Agents</h2>`}
${agents.map(
	({id, subtask, state, progress, ...agent}) =>
		html`<article class="agent"><p class="line"><b>${id}</b><span class="state ${state}">${state}</span></p>
<p>${subtask}</p>
${progress !== null && html`<p class="line"><progress max="100" value="${progress}" aria-label="Progress of ${id}"></progress><span>${progress} %</span></p>`}
<p class="doing">${doing(agent)}</p></article>
`,
)}
</section>`;
};

type Doing = Pick<
	ReturnType<typeof statusOf>['agents'][number],
	'why' | 'limit' | 'phase' | 'waitingFor' | 'alsoWaitingFor' | 'pausedAt'
>;

const doing = ({why, limit, phase, waitingFor, alsoWaitingFor, pausedAt}: Doing): string => {
	if (pausedAt !== null) {
		return 'paused by you';
	}

	if (waitingFor !== null) {
		return `waits for ${[waitingFor, ...alsoWaitingFor].join(', ')}`;
	}

	return limit === null ? (phase ?? why) : why;
};

/** Renders the header: the project, the number of waiting items, and notices. */
const header = (view: PageView, waiting: number): Html => {
	const {project, session} = view;
	const task = session.state.session?.plan.task;
	return html`<header data-live="header">
<h1>${project}<span class="count" data-count="${waiting}">${waiting === 0 ? 'nothing waits' : `${waiting} waiting`}</span></h1>
${task !== undefined && html`<p class="task">${task}</p>`}
<p class="standing">${standing(view)}</p>
${[...troubles(view), ...noticesOf(session.state, thisMoment(view.now)).map(({text}) => text)].map(
	text => html`<p class="notice">${text}</p>`,
)}
</header>`;
};

/** Returns a sentence about the state of the session. */
const standing = ({session: {state}}: PageView): string => {
	const {session} = state;
	if (session === null) {
		return 'No session in this repository yet. It is shown here as soon as one begins.';
	}

	if (session.ended !== undefined) {
		return `The session has ended: ${session.ended.why}`;
	}

	return sessionStatus(state) === 'MERGING'
		? `The accepted work is being merged into ${session.target}.`
		: `At work for ${session.target}.`;
};

const troubles = ({session: {state, isSupervised, trouble}}: PageView): readonly string[] => [
	...(trouble === undefined ? [] : [`It is not known what waits now: ${trouble}`]),
	...(state.session !== null && state.session.ended === undefined && !isSupervised
		? [
				'The session’s supervisor is not running. An answer here starts it again, and so does any command.',
			]
		: []),
];

/** Renders items other than questions: with the command that decides each, or with a form if the config allows it. */
const otherItems = (view: PageView, items: readonly InboxItem[]): Html =>
	html`<section aria-label="Also waiting">
<div data-live="others">${items.length > 0 && html`<h2 class="heading">Also waiting</h2>`}</div>
<div data-list="others">
${items.map(item => card(view, item))}
</div>
</section>`;

/** Renders an item as a card; a changed item gets a new card, so that a person decides only what they have seen. */
const card = (view: PageView, item: InboxItem): Html => {
	const {seen, choices} = decidable(view.session.state, item);
	const key = nameOnPage(view, `${item.id}-${seen}`);
	const about = html`<div class="who"><h2>${item.id}<span class="kind">${item.kind}</span>${item.agent}</h2></div>
<p class="title">${item.title}</p>
${detailText(item, view.store).map(line => html`<p class="detail">${line}</p>`)}`;
	return !view.mayDecide
		? html`<article class="card" id="${key}">${about}${commands(item, choices)}</article>
`
		: html`<form class="card" id="${key}" method="post" action="decide">
<input type="hidden" name="session" value="${view.session.state.session?.session}">
<fieldset data-item="${item.id}"><input type="hidden" name="item" value="${item.id}"><input type="hidden" name="seen:${item.id}" value="${seen}">
${about}
${choiceFields(
	item,
	choices.filter(({needsFiles}) => !needsFiles),
	key,
)}
<p class="problem told" role="alert" hidden></p>
</fieldset>
<div class="actions"><button type="submit">Decide</button></div>
${commands(item, choices)}
</form>
`;
};

const choiceFields = (item: InboxItem, offered: readonly DecidableChoice[], key: string): Html =>
	html`<div class="options">${offered.map(
		({position, label, note, whyNot}) =>
			html`<label><input type="radio" required name="option:${item.id}" value="${position}"${whyNot !== undefined && html` disabled`}><span>${label}${note === 'required' && html`<small>needs a note</small>`}${whyNot !== undefined && html`<small>${whyNot}</small>`}</span></label>
`,
	)}</div>
${
	offered.some(({note}) => note !== undefined) &&
	html`<label class="own" for="${key}-note">Note</label><textarea id="${key}-note" name="note:${item.id}" rows="2"></textarea>`
}`;

const commands = ({id}: InboxItem, choices: readonly DecidableChoice[]): Html =>
	html`<details><summary>Decide it in a terminal</summary><ul class="commands">
${choices.map(
	({choice, label, note, whyNot}) =>
		html`<li><code>delegate-tui answer ${id} ${inShell(choice)}${note === 'required' && ' --note "…"'}</code><small>${label}${whyNot !== undefined && ` (unavailable: ${whyNot})`}</small></li>
`,
)}</ul></details>`;

export type WholePageParts = {
	readonly title: string;
	readonly style: string;
	/** Body, including its tag. */
	readonly body: Html;
};

/** Returns a whole page for a browser, which loads nothing from elsewhere. */
export const wholePage = ({title, style, body}: WholePageParts): string =>
	htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${shipped(style)}</style>
</head>
${body}
</html>
`);
