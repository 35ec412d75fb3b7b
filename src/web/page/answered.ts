import {closedText} from '../../client/texts/closed-text.ts';
import {type Html, html} from '../../lib/html.ts';
import type {Closed, QuestionRecord} from '../../rules/questions/record.ts';
import {nameOnPage, type View} from './view.ts';

/** The last questions that wait no more, so that whoever was about to answer sees who was faster. */
export const answeredSection = (view: View): Html => {
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

/** `data-why` is for a page on which somebody was about to answer it. */
const entry = (view: View, {item, agent, question}: QuestionRecord, closed: Closed): Html =>
	html`<article class="answered" data-closed="${nameOnPage(view, item)}" data-why="${item}: ${closedText(closed)}"><p>${question.question}</p>
<p class="end">${closed.how === 'answered' && html`<b>${closed.answer}</b> `}<small>${item} of ${agent}, ${closed.how === 'answered' ? `from ${closed.from}` : 'which nobody needs any more'}</small></p></article>
`;
