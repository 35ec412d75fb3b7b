import type {Model} from '../../client/model.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {sessionStatus, statusOf} from '../../rules/status.ts';
import {lastResult} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {isUrgent} from '../../state/urgent.ts';
import {checkOf} from '../formatting/check-look.ts';
import {type Row, type Span, span, widthOfRow} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {Rows} from './rows.tsx';

export type StatusLineProps = {readonly model: Model; readonly columns: number};

/** The first row: which session this is, where it merges to, how safe it runs, how much waits for the person. */
export const StatusLine = ({model, columns}: StatusLineProps) => {
	const right = rightOf(model);
	const left = leftOf(model, columns - widthOfRow(right) - 2);
	const gap = Math.max(1, columns - widthOfRow(left) - widthOfRow(right));
	return <Rows rows={[[...left, span(' '.repeat(gap)), ...right]]} height={1} />;
};

const leftOf = ({state, mode}: Model, columns: number): Row => {
	const {session} = state;
	const name = mode.kind === 'replay' ? ' ▶ recording ' : ' delegate-tui ';
	if (session === null) {
		return [span(name, 'selected')];
	}

	const status = sessionStatus(state);
	const warning = hasFailed(state) ? ' check FAILED ' : '';
	const words = ` ${status === 'ACTIVE' ? '' : `${status} `}${session.plan.task}`;
	const room = Math.max(0, columns - name.length - warning.length);
	return [span(name, 'selected'), span(warning, 'bad'), span(cut(words, room), 'strong')];
};

/** Whoever goes on with a result that failed its check is told so for as long as it stands. */
const hasFailed = (state: State): boolean => {
	const result = lastResult(state);
	return result !== undefined && 'verified' in result && !result.verified.ok;
};

const rightOf = (model: Model): Row => {
	const {state} = model;
	const {sandbox} = statusOf(state, () => ({worktree: '', branch: ''}));
	const waiting = state.items.length;
	const urgent = state.items.filter(isUrgent).length;
	return [
		...(waiting > 0 ? [span(`${waiting} waiting`, 'warn')] : [unasked(model)]),
		...(urgent > 0 ? [span(`, ${urgent} urgent`, 'bad')] : []),
		span(state.session === null ? '' : `  → ${cut(state.session.target, 24)}`, 'info'),
		span(`  sandbox ${sandbox.level} `, sandbox.level === 'none' ? 'warn' : 'info'),
		...playing(model),
	];
};

/** What goes on while nothing waits for the person. */
const unasked = (model: Model): Span => {
	if (model.trouble !== undefined) {
		return span('reading stopped', 'bad');
	}

	const check = checkOf(model);
	return check?.phase === 'running'
		? span(`checking ${formatDuration(check.forMs)}`, 'info')
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
