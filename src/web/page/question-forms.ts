import {clockAt} from '../../events/awake.ts';
import {type Html, html} from '../../lib/html.ts';
import {whyNotClock} from '../../rules/commands/why-not-clock.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import type {ItemOf} from '../../state/item.ts';
import {type ClockChange, clockWords} from '../../state/items/question/clock.ts';
import {sameQuestions} from '../../state/items/question/same-question.ts';
import {waitFor} from '../../state/items/question/wait.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {answerFields} from './answer-fields.ts';
import {nameOnPage, type View} from './view.ts';

/** The questions that wait, one form for those that an agent asked together. */
export const questionForms = (view: View, waiting: readonly InboxItem[]): Html => {
	const questions = waiting.flatMap(({id}) => {
		const item = itemOf(view.session.state, id);
		return item?.kind === 'question' ? [item] : [];
	});
	const groups = [...Map.groupBy(questions, ({agent, group}) => `${agent}-${group}`)];
	return html`<section aria-label="Questions">
<div data-live="none">${questions.length === 0 && html`<p class="none">No question waits for you.</p>`}</div>
<div data-list="questions">
${groups.map(([name, group]) => form(view, name, group))}
</div>
</section>`;
};

type Question = ItemOf<'question'>;

/** Names on the page never change while something waits, so that what was typed stays as it is. Its first button is the one that Enter presses. */
const form = (view: View, name: string, questions: readonly Question[]): Html | undefined => {
	const [first] = questions;
	if (first === undefined) {
		return undefined;
	}

	const key = nameOnPage(view, name);
	const {agent} = first;
	return html`<form class="card question" id="${key}" method="post" action="decide">
<input type="hidden" name="session" value="${view.session.state.session?.session}">
<div class="who"><h2>${agent} asks${questions.some(({question}) => question.urgent) && html` <span class="urgent">urgent</span>`}</h2>
<p class="subtask">${agentOf(view.session.state, agent)?.subtask.subtask}</p></div>
<div data-list="${key}">${questions.map(question => field(view, question))}</div>
<p class="sofar"><a href="work/${agent}" target="_blank">What ${agent} said and changed so far</a></p>
<div class="actions"><button type="submit">Answer</button>
<button type="submit" class="quiet" name="later" value="yes">Not now</button></div>
<p class="meanwhile" data-live="${key}">${meanwhile(view, first)}</p>
</form>
`;
};

const field = (view: View, item: Question): Html => {
	const {id, question, workStatus, rejected} = item;
	const name = nameOnPage(view, id);
	return html`<fieldset id="${name}" data-item="${id}">
<legend>${question.question}</legend>
<input type="hidden" name="item" value="${id}">
${question.context !== undefined && html`<p class="why">${question.context}</p>`}
${answerFields(item, name)}
<div data-live="${name}-same">${sameField(view, item)}</div>
${background(workStatus)}
<p class="problem" data-live="${name}">${rejected !== undefined && `An answer in a file was of no use: ${rejected}`}</p>
<p class="problem told" role="alert" hidden></p>
</fieldset>
`;
};

/** Others that ask the same are answered with it only if the person says so. */
const sameField = ({session: {state}}: View, item: Question): Html | undefined => {
	const same = sameQuestions(state, item).map(({id, agent}) => `${agent} (${id})`);
	return same.length === 0
		? undefined
		: html`<label class="same"><input type="checkbox" name="same:${item.id}" value="yes"><span>Answer ${same.join(' and ')} as well, who ${same.length === 1 ? 'asks' : 'ask'} the same</span></label>`;
};

/** What only some want to know before they answer. */
const background = (status: Question['workStatus']): Html | undefined =>
	status === undefined
		? undefined
		: html`<details><summary>Where it stands</summary>
${status.blockedAt !== undefined && html`<p>Stopped at: ${status.blockedAt}</p>`}
${status.currentState !== undefined && html`<p>So far: ${status.currentState}</p>`}
</details>`;

/** No time that runs out decides anything; it only ends the agent's waiting. The page itself counts the time down. */
const meanwhile = ({session: {state}, now}: View, item: Question): Html => {
	const wait = waitFor(state, item);
	const parked = html`It is parked, and goes on with your answer, whenever you give it.`;
	switch (wait.how) {
		case 'goes-on':
			return html`It goes on without waiting.`;
		case 'left':
			return html`It left this to you and goes on with your answer, whenever you give it.`;
		case 'file':
			return html`It looks for your answer in a file, for as long as it chose. Your answer counts either way.`;
		case 'paused':
			return html`Its clock is stopped while you think. ${clockButton(state, item, 'going')}`;
		case 'until': {
			const until = clockAt(wait.at, state);
			return until > now
				? html`It waits <time datetime="${until}">until ${until.slice(11, 16)} UTC</time>, then it is parked. Your answer counts either way. ${clockButton(state, item, 'paused')}`
				: parked;
		}

		case 'parked':
			return parked;
	}
};

/** Most that wait have no clock that a person can stop. */
const clockButton = (state: State, item: Question, to: ClockChange): Html | undefined =>
	whyNotClock(state, item, to) === undefined
		? html`<button type="submit" class="small" name="clock" value="${clockWords[to]}">${to === 'paused' ? 'Stop the clock' : 'Let it go on'}</button>`
		: undefined;
