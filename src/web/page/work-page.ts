import {html} from '../../lib/html.ts';
import type {Assets} from './page.ts';
import {wholePage} from './whole-page.ts';

/** What an agent has done until now, to be looked at before it is answered. */
export type Work = {
	/** The last lines that it said. */
	readonly words: string;
	/** What it changed since its base; empty when that is nothing. */
	readonly patch: string;
	/** What is not shown, if it isn't all. */
	readonly remark?: string;
};

/** Returns the page of an agent's work, which stands as it was when it was asked for. */
export const workPage = (agent: string, {words, patch, remark}: Work, {style}: Assets): string =>
	wholePage({
		title: `${agent} so far · delegate-tui`,
		style,
		body: html`<body class="work">
<p><a href="../">All that waits for you</a></p>
<h1>${agent} so far</h1>
<section aria-label="What it said last">
<h2 class="heading">What it said last</h2>
<pre>${words === '' ? 'Nothing yet.' : words}</pre>
</section>
<section aria-label="What it changed">
<h2 class="heading">What it changed</h2>
${remark !== undefined && html`<p>${remark}</p>`}
<pre>${patch === '' ? 'Nothing yet.' : cut(patch)}</pre>
${patch.length > mostShown && html`<p>Only the beginning is shown; <code>delegate-tui diff ${agent}</code> shows all of it.</p>`}
</section>
</body>`,
	});

/** In characters; a browser stands still over more. */
const mostShown = 500_000;

const cut = (patch: string): string => patch.slice(0, mostShown);
