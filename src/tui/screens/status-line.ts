import type {Model} from '../../client/model.ts';
import {filesWords} from '../../events/kinds/machine-event.ts';
import {runningText} from '../../lib/text/duration.ts';
import {counted} from '../../lib/text/words.ts';
import {inbox, shownItems} from '../../rules/inbox.ts';
import {mergeStep, sessionStatus, statusOf} from '../../rules/status.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isUrgent} from '../../state/item.ts';
import {lastResult} from '../../state/merge/publication.ts';
import {isGivenUp} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {actionKey} from '../action.ts';
import {sessionPhaseSpan} from '../formatting/agent-look.ts';
import {checkOf} from '../formatting/check-look.ts';
import {noticeRows, shownNotice} from '../formatting/notice.ts';
import {nextItem} from '../model/open-item.ts';
import {fieldAt, formIn, isAtPlan} from '../model/plan.ts';
import {hasPrompt, type Prompted, wordsToMark} from '../model/searching.ts';
import type {Action, Context} from '../model/view.ts';
import {adviceFor} from '../plan/fields.ts';
import {foundIn} from '../rows/found.ts';
import {fitted, type Row, row, type Span, span, widthOfRow, writtenRow} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {keySign} from '../terminal/key-name.ts';
import {bodyOf} from './body.ts';
import {planTitle} from './plan-form.ts';

/** Returns the first row: the session, its target, its protection, the number of waiting items; or the plan that is being written. */
export const statusLine = ({model, view}: Context): Row => {
	const {columns} = view.size;
	const form = formIn(view);
	const [left, right] = form === undefined ? sessionTitle(model, columns) : planTitle(form);
	const gap = Math.max(1, columns - widthOfRow(left) - widthOfRow(right));
	return [...left, span(' '.repeat(gap)), ...right];
};

const sessionTitle = (model: Model, columns: number): readonly [Row, Row] => {
	const right = rightOf(model);
	return [leftOf(model, columns - widthOfRow(right) - 2), right];
};

const leftOf = ({state, mode}: Model, columns: number): Row => {
	const {session} = state;
	const name = mode.kind === 'replay' ? ' ▶ recording ' : ' delegate-tui ';
	if (session === null) {
		return [span(name, 'selected')];
	}

	const status = sessionStatus(state);
	const isWaiting = status === 'MERGING' && mergeStep(state) === undefined;
	const warning = hasFailed(state) ? ' check FAILED ' : '';
	const words = ` ${status === 'ACTIVE' || isWaiting ? '' : `${status} `}${session.plan.task}`;
	const room = Math.max(0, columns - name.length - warning.length);
	return [span(name, 'selected'), span(warning, 'bad'), span(cut(words, room), 'strong')];
};

/** Returns whether there is a result whose check failed. */
const hasFailed = (state: State): boolean => {
	const result = lastResult(state);
	return result !== undefined && 'verified' in result && !result.verified.ok;
};

const rightOf = (model: Model): Row => {
	const {state} = model;
	const {sandbox} = statusOf(state, () => ({worktree: '', branch: ''}));
	const items = shownItems(state);
	const waiting = items.length;
	const urgent = items.filter(isUrgent).length;
	return [
		...(waiting > 0 ? [span(`${waiting} waiting`, 'warn')] : [unasked(model)]),
		...(urgent > 0 ? [span(`, ${urgent} urgent`, 'bad')] : []),
		span(state.session === null ? '' : `  → ${cut(state.session.target, 24)}`, 'info'),
		span(`  ${filesWords(sandbox)} `, sandbox.level === 'files' ? 'info' : 'warn'),
		...playing(model),
	];
};

const unasked = (model: Model): Span => {
	if (model.trouble !== undefined) {
		return span('reading stopped', 'bad');
	}

	const check = checkOf(model);
	return check?.phase === 'running'
		? span(`checking ${runningText(check.forMs)}`, 'info')
		: span('nothing waiting', 'dim');
};

const playing = ({mode}: Model): Row =>
	mode.kind === 'live'
		? []
		: [
				span(
					` ${mode.playing ? '▶' : '⏸'} ${mode.position}/${mode.length} ×${mode.speed} `,
					'info',
				),
			];

/** Returns the notice in its rows; on the board with the next step, and in the form of a plan with the field's advice. */
export const noticeLines = (context: Context): readonly Row[] => {
	const {view} = context;
	if (hasPrompt(view)) {
		return [promptRow({...context, view})];
	}

	const notice = shownNotice(context);
	if (notice === undefined) {
		return fitted([nextTo(context, false)], noticeRows(context));
	}

	const [first = '', ...more] = notice.lines;
	const sign = span(`${signs[notice.tone]} `, notice.tone);
	// A notice of several rows has them to itself.
	const next = more.length > 0 ? [] : nextTo(context, true);
	return [
		[sign, span(first), ...(next.length > 0 ? [span('   '), ...next] : [])],
		...more.map(line => row(`  ${line}`)),
	];
};

/** Returns the search words, as they are being written, and the number of matching rows. */
const promptRow = (context: Context & {readonly view: Prompted}): Row => {
	const {rows} = bodyOf(context);
	const {dialog} = context.view;
	const {draft} = dialog;
	const words = wordsToMark(context.view);
	return [
		span(dialog.kind === 'palette' ? ':' : dialog.does === 'find' ? '/' : '&', 'key'),
		...writtenRow(draft.text, draft.at),
		span(words === '' ? '' : `   ${counted(foundIn(rows, words).length, 'row')}`, 'dim'),
	];
};

const signs = {good: '✔', bad: '✘', warn: '⚠', info: 'ℹ'} as const;

const nextTo = (context: Context, isTold: boolean): Row => {
	const {view} = context;
	return view.place.at === 'board'
		? nextRow(context)
		: isAtPlan(view) && !isTold
			? [span(` ${adviceFor(fieldAt(view.place), view.place.desk)}`, 'info')]
			: [];
};

const nextRow = (context: Context): Row => {
	const {model} = context;
	const {state, mode} = model;
	const item = nextItem(context);
	const next = inbox(state).find(({id}) => id === item?.id);
	if (next !== undefined) {
		return [
			span('⏎ ', 'key'),
			span(`${next.id} ${next.agent ?? ''} `, 'warn'),
			...(next.kind === 'question' && next.urgent ? [span('urgent ', 'bad')] : []),
			span(next.title, 'strong'),
		];
	}

	const isHeld = (agent: Agent) => agent.held !== undefined && !isGivenUp(agent);
	const held = mode.kind === 'live' ? state.agents.find(isHeld) : undefined;
	const opens = state.merge.phase === 'built' && !state.session?.ended;
	return [
		...(opens ? [span('⏎ ', 'key')] : []),
		sessionPhaseSpan(model) ??
			(held === undefined
				? span('Nothing waits for you.', 'dim')
				: span(
						`${held.id} is paused by you; ${actionKey(context, 'resume-agent')} at its pane resumes it.`,
						'warn',
					)),
	];
};

/** Maximum number of keys in the footer; the list of keys has them all. */
const mostKeys = 6;

/**
Returns a row of available keys with their labels; the two that lead out are always in it.

@param actions Actions of the current place, the most important first.
*/
export const keyBar = (context: Context, actions: readonly Action[], columns: number): Row => {
	const labelled = actions.filter(
		({label, whyNot}) => label !== undefined && whyNot?.(context) === undefined,
	);
	const last = labelled.filter(({name}) => name === 'keys' || name === 'leave');
	const room = columns - widthOfRow(last.flatMap(spansOf));
	const first: Span[] = [];
	for (const action of labelled.filter(action => !last.includes(action)).slice(0, mostKeys)) {
		const spans = spansOf(action);
		if (widthOfRow([...first, ...spans]) > room) {
			break;
		}

		first.push(...spans);
	}

	return [...first, ...last.flatMap(spansOf)];
};

const spansOf = ({keys, label}: Action): readonly Span[] => [
	span(` ${keySign(keys[0] ?? '')} `, 'key'),
	span(`${label} `, 'dim'),
];
