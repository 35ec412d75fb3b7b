import {expectedAnswer} from '../../client/texts/expected-answer.ts';
import {type Html, html} from '../../lib/html.ts';
import type {Question} from '../../signals/index.ts';
import type {ItemOf} from '../../state/item.ts';
import {isFree, optionsOf} from '../../state/items/question/answer.ts';

/**
The controls by which one question is answered, as its kind wants them.

An option is sent by its place in the list, so that its agent's words come back to it byte for byte.
*/
export const answerFields = ({id, question}: ItemOf<'question'>, name: string): Html => {
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
