import {type Html, html} from '../../lib/html.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import type {Assets} from './page.ts';
import {wholePage} from './whole-page.ts';

/** What an agent has done until now, to be looked at before it is answered. */
export type Work = {
	/** The last lines that it said. */
	readonly words: string;
	/** What it changed since its base. */
	readonly files: readonly ListedFile[];
	/** The diff of those that are shown. */
	readonly patch: string;
	/** What is not shown, if it isn't all. */
	readonly remark?: string;
};

/** Returns the page of an agent's work, which stands as it was when it was asked for. */
export const workPage = (
	agent: string,
	{words, files, patch, remark}: Work,
	{style}: Assets,
): string =>
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
${files.length === 0 ? html`<p>Nothing yet.</p>` : html`<ul>${files.map(fileLine)}</ul>`}
${files.some(({shown}) => !shown) && html`<p><code>delegate-tui diff ${agent}</code> shows what is too long for this page.</p>`}
${patch !== '' && html`<pre>${patch}</pre>`}
</section>
</body>`,
	});

const fileLine = ({path, from, added, removed, shown}: ListedFile): Html =>
	html`<li>${path}${from !== undefined && `, renamed from ${from}`} ${added === null ? '(not text)' : `+${added} −${removed}`}${!shown && html` <strong>too long to be shown here</strong>`}</li>
`;
