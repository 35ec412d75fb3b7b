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

/** Renders the open questions, with one form for those that an agent asked together. */
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

/** Renders a form. Names on the page never change while an item waits, so that typed text stays. Enter presses its first button. */
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

/** Renders the field for other agents that ask the same: they get the answer only if the person says so, and only those that are named. */
const sameField = ({session: {state}}: PageView, item: QuestionItem): Html | undefined => {
	const same = sameQuestions(state, item);
	const named = same.map(({id, agent}) => `${agent} (${id})`).join(' and ');
	return same.length === 0
		? undefined
		: html`<label class="same"><input type="checkbox" name="same:${item.id}" value="${same.map(({id}) => id).join(' ')}"><span>Answer ${named} as well, who ${same.length === 1 ? 'asks' : 'ask'} the same</span></label>`;
};

/** Renders background facts, which are folded. */
const background = (status: QuestionItem['workStatus']): Html | undefined =>
	status === undefined
		? undefined
		: html`<details><summary>Where it stands</summary>
${status.blockedAt !== undefined && html`<p>Stopped at: ${status.blockedAt}</p>`}
${status.currentState !== undefined && html`<p>So far: ${status.currentState}</p>`}
</details>`;

/** Renders the agent's wait, whose end decides nothing. The page itself counts the time down. */
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

/** A choice, with its position, which a form sends. */
export type DecidableChoice = OfferedChoice & {
	readonly position: number;
	/** True if it needs files of this machine, so that a browser can't make it. */
	readonly needsFiles: boolean;
};

export type Decidable = {
	readonly choices: readonly DecidableChoice[];
	/** Digest of everything that a person is shown of the item. */
	readonly seen: string;
};

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
Returns the controls of one question, by its type.

An option is sent by its position in the list, so that the agent gets its own words back byte for byte.
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

/** Maximum length of options that are side by side. */
const shortOption = 6;

const ownAnswer = (question: Question, id: string, name: string): Html => {
	const label = optionsOf(question).length > 0 ? 'Or your own answer' : 'Your answer';
	const {hint, control} = expectedOf(question);
	return html`<label class="own" for="${name}-own">${label}${hint !== undefined && html`<small>${hint}</small>`}</label>
${control(html`id="${name}-own" name="own:${id}" autocomplete="off"`)}`;
};

type Expected = {
	/** Requirement of an answer, if not any text is accepted. */
	readonly hint?: string;
	readonly control: (attributes: Html) => Html;
};

/** Attributes of a field for code, without correction. */
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

/** Renders a note's field, for a question that accepts only options. */
const noteField = (id: string, name: string): Html =>
	html`<details><summary>Add a note</summary><textarea id="${name}-note" name="note:${id}" rows="2" aria-label="Note"></textarea></details>`;
