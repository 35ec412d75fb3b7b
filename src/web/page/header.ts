import {type Html, html} from '../../lib/html.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {noticesOf} from '../../rules/notices.ts';
import {sessionStatus} from '../../rules/status.ts';
import type {View} from './view.ts';

/** What the page is about, how much waits, and what a person should know before they look at that. */
export const header = (view: View, waiting: number): Html => {
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

/** Where the session is as a whole, in a sentence. */
const standing = ({session: {state}}: View): string => {
	const {session} = state;
	if (session === null) {
		return 'No session in this repository yet. It is shown here as soon as one begins.';
	}

	if (session.ended !== undefined) {
		return `The session has ended: ${session.ended.why}`;
	}

	return sessionStatus(state) === 'MERGING'
		? `What was accepted is on its way into ${session.target}.`
		: `At work for ${session.target}.`;
};

const troubles = ({session: {state, isSupervised, trouble}}: View): readonly string[] => [
	...(trouble === undefined ? [] : [`What waits now is not known: ${trouble}`]),
	...(state.session !== null && state.session.ended === undefined && !isSupervised
		? ['Nobody supervises the session. An answer here starts that again, and so does any command.']
		: []),
];
