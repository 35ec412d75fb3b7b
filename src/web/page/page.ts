import {type Html, html, htmlText, shipped} from '../../lib/html.ts';
import {inbox} from '../../rules/inbox.ts';
import {answeredSection} from './answered.ts';
import {board} from './board.ts';
import {header} from './header.ts';
import {otherItems} from './other-items.ts';
import {questionForms} from './question-forms.ts';
import type {View} from './view.ts';
import {wholePage} from './whole-page.ts';

/** What the page brings along, so that it loads nothing. */
export type Assets = {readonly style: string; readonly script: string};

/** What of the page changes while it is open. */
export type Shown = {readonly title: string; readonly body: string};

/** Returns the page as a browser first gets it. */
export const pageOf = (view: View, {style, script}: Assets): string =>
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

/** Returns what is shown, for a page that is open already. */
export const shownOn = (view: View): Shown => ({
	title: titleOf(view),
	body: htmlText(bodyOf(view)),
});

const titleOf = ({project, session}: View): string => {
	const count = session.state.items.length;
	return `${count === 0 ? '' : `(${count}) `}${project} · delegate-tui`;
};

const bodyOf = (view: View): Html => {
	const items = inbox(view.session.state);
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
