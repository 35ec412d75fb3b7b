import {type Html, html} from '../../lib/html.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {statusOf} from '../../rules/status.ts';
import type {View} from './view.ts';

/** All agents at a glance: how they stand, how far they are, and what they wait for. */
export const board = ({session: {state}, now}: View): Html => {
	const {agents} = statusOf(state, () => ({worktree: '', branch: ''}), thisMoment(now));
	return html`<section aria-label="Agents" data-live="agents">
${agents.length > 0 && html`<h2 class="heading">Agents</h2>`}
${agents.map(
	({id, subtask, state, why, limit, progress, phase, waitingFor, pausedAt}) =>
		html`<article class="agent"><p class="line"><b>${id}</b><span class="state ${state}">${state}</span></p>
<p>${subtask}</p>
${progress !== null && html`<p class="line"><progress max="100" value="${progress}" aria-label="Progress of ${id}"></progress><span>${progress} %</span></p>`}
<p class="doing">${doing({why, limit, phase, waitingFor, pausedAt})}</p></article>
`,
)}
</section>`;
};

type Doing = Pick<
	ReturnType<typeof statusOf>['agents'][number],
	'why' | 'limit' | 'phase' | 'waitingFor' | 'pausedAt'
>;

const doing = ({why, limit, phase, waitingFor, pausedAt}: Doing): string => {
	if (pausedAt !== null) {
		return 'paused by you';
	}

	if (waitingFor !== null) {
		return `waits for ${waitingFor}`;
	}

	return limit === null ? (phase ?? why) : why;
};
