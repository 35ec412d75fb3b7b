import {detailText} from '../../client/texts/detail-text.ts';
import {type Html, html} from '../../lib/html.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {type DecidableChoice, decidable} from './decidable.ts';
import {nameOnPage, type View} from './view.ts';

/** What waits besides questions: told with the command that decides it, or to be decided here where the config says so. */
export const otherItems = (view: View, items: readonly InboxItem[]): Html =>
	html`<section aria-label="Also waiting">
<div data-live="others">${items.length > 0 && html`<h2 class="heading">Also waiting</h2>`}</div>
<div data-list="others">
${items.map(item => card(view, item))}
</div>
</section>`;

/** What has changed is another card, so that nobody decides on what they never saw. */
const card = (view: View, item: InboxItem): Html => {
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
