import {createHash} from 'node:crypto';
import {expectedAnswer} from '../../client/texts/describe.ts';
import {clockAt} from '../../events/deadline.ts';
import {type Html, html} from '../../lib/html.ts';
import {choicesOf, type OfferedChoice} from '../../rules/commands/choices.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import type {Question} from '../../signals/index.ts';
import type {ItemOf} from '../../state/item.ts';
import {isFree, optionsOf, sameQuestions} from '../../state/items/question/answer.ts';
import {waitFor, waitText} from '../../state/items/question/wait.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {nameOnPage, type PageView} from './view.ts';

/** The questions that wait, one form for those that an agent asked together. */
export const questionForms = (view: PageView, waiting: readonly InboxItem[]): Html => {
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

type QuestionItem = ItemOf<'question'>;

/** Names on the page never change while something waits, so that what was typed stays as it is. Its first button is the one that Enter presses. */
const form = (
	view: PageView,
	name: string,
	questions: readonly QuestionItem[],
): Html | undefined => {
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

const field = (view: PageView, item: QuestionItem): Html => {
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
const sameField = ({session: {state}}: PageView, item: QuestionItem): Html | undefined => {
	const same = sameQuestions(state, item).map(({id, agent}) => `${agent} (${id})`);
	return same.length === 0
		? undefined
		: html`<label class="same"><input type="checkbox" name="same:${item.id}" value="yes"><span>Answer ${same.join(' and ')} as well, who ${same.length === 1 ? 'asks' : 'ask'} the same</span></label>`;
};

/** What only some want to know before they answer. */
const background = (status: QuestionItem['workStatus']): Html | undefined =>
	status === undefined
		? undefined
		: html`<details><summary>Where it stands</summary>
${status.blockedAt !== undefined && html`<p>Stopped at: ${status.blockedAt}</p>`}
${status.currentState !== undefined && html`<p>So far: ${status.currentState}</p>`}
</details>`;

/** No time that runs out decides anything; it only ends the agent's waiting. The page itself counts the time down. */
const meanwhile = ({session: {state}, now}: PageView, item: QuestionItem): Html => {
	const wait = waitFor(state, item);
	if (wait.how !== 'until') {
		return html`Meanwhile, ${waitText(wait.how)}.`;
	}

	const until = clockAt(wait.at, state);
	return until > now
		? html`Meanwhile, it waits <time datetime="${until}">until ${until.slice(11, 16)} UTC</time>, then it is paused; your answer counts either way.`
		: html`Meanwhile, ${waitText('parked')}.`;
};

/** A choice, with the place by which a form names it. */
export type DecidableChoice = OfferedChoice & {
	readonly position: number;
	/** Set where it is decided beside files of this machine, and so not in a browser. */
	readonly needsFiles: boolean;
};

export type Decidable = {
	readonly choices: readonly DecidableChoice[];
	/** Stands for all that a person is shown of the item: another one, once anything of that has changed. */
	readonly seen: string;
};

/** Returns how an item of the inbox can be decided. */
export const decidable = (state: State, shown: InboxItem): Decidable => {
	const item = itemOf(state, shown.id);
	const choices = item === undefined ? [] : choicesOf(state, item);
	return {
		choices: choices.map((choice, position) => ({
			...choice,
			position,
			needsFiles: besideFiles.includes(choice.verb),
		})),
		seen: createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22),
	};
};

const besideFiles: readonly OfferedChoice['verb'][] = ['edit', 'manual', 'done'];

/**
The controls by which one question is answered, as its kind wants them.

An option is sent by its place in the list, so that its agent's words come back to it byte for byte.
*/
const answerFields = ({id, question}: ItemOf<'question'>, name: string): Html => {
	const options = optionsOf(question);
	const type = question.multi === true ? 'checkbox' : 'radio';
	const short = options.every(option => option.length <= shortOption) && options.length <= 3;
	return options.length === 0
		? ownAnswer(question, id, name)
		: html`<div class="options${short && ' short'}">${options.map(
				(option, position) =>
					html`<label><input type="${type}" name="option:${id}" value="${position}"><span>${option}</span></label>
`,
			)}</div>
${isFree(question) ? ownAnswer(question, id, name) : noteField(id, name)}`;
};

/** So short options stand side by side. */
const shortOption = 6;

const ownAnswer = (question: Question, id: string, name: string): Html => {
	const label = optionsOf(question).length > 0 ? 'Or your own answer' : 'Your answer';
	const {hint, control} = expectedOf(question);
	return html`<label class="own" for="${name}-own">${label}${hint !== undefined && html`<small>${hint}</small>`}</label>
${control(html`id="${name}-own" name="own:${id}" autocomplete="off"`)}`;
};

type Expected = {
	/** What an answer must be like, where it can't be any text. */
	readonly hint?: string;
	readonly control: (attributes: Html) => Html;
};

/** Code is no prose: nothing may correct it. */
const code = html`type="text" spellcheck="false" autocapitalize="off" autocorrect="off" class="code"`;

const expectedOf = (question: Question): Expected => {
	const {type, pattern} = question;
	const phrases = expectedAnswer(question);
	const control = (attributes: Html): Html => {
		if (type === 'number') {
			return html`<input ${attributes} type="text" inputmode="decimal" class="code">`;
		}

		return type === 'path' || type === 'regex' || pattern !== undefined
			? html`<input ${attributes} ${code}>`
			: html`<textarea ${attributes} rows="2"></textarea>`;
	};

	return {control, ...(phrases.length === 0 ? {} : {hint: phrases.join(', ')})};
};

/** Where only an option is taken, there may be something to say with it. */
const noteField = (id: string, name: string): Html =>
	html`<details><summary>Add a note</summary><textarea id="${name}-note" name="note:${id}" rows="2" aria-label="Note"></textarea></details>`;
