import {StatusMessage} from '@inkjs/ui';
import {Box} from 'ink';
import type {Model} from '../../client/model.ts';
import {inbox} from '../../rules/inbox.ts';
import {noticeRows, shownNotice} from '../formatting/notice.ts';
import {sessionPhaseSpan} from '../formatting/session-phase.ts';
import type {Context} from '../model/view.ts';
import {type Row, span} from '../rows/row.ts';
import {Line} from './line.tsx';

/** What is told in one sentence, on as many rows as it takes; and on the board what comes next. */
export const NoticeLine = ({context}: {readonly context: Context}) => {
	const {model, view} = context;
	const notice = shownNotice(context);
	// What takes several rows has them to itself.
	const isAlone = (notice?.lines.length ?? 0) > 1;
	const next = view.place.at === 'board' && !isAlone ? nextRow(model) : [];
	return (
		<Box height={noticeRows(context)} overflow="hidden" flexShrink={0} columnGap={3}>
			{notice && (
				<Box flexShrink={0}>
					<StatusMessage variant={variants[notice.tone]}>{notice.lines.join('\n')}</StatusMessage>
				</Box>
			)}
			{next.length > 0 && <Line row={next} />}
		</Box>
	);
};

const variants = {good: 'success', bad: 'error', warn: 'warning', info: 'info'} as const;

const nextRow = (model: Model): Row => {
	const {state} = model;
	const [next] = inbox(state);
	if (next !== undefined) {
		return [
			span('⏎ ', 'key'),
			span(`${next.id} ${next.agent ?? ''} `, 'warn'),
			...(next.kind === 'question' && next.urgent ? [span('urgent ', 'bad')] : []),
			span(next.title, 'strong'),
		];
	}

	const opens = state.merge.phase === 'built' && !state.session?.ended;
	return [
		...(opens ? [span('⏎ ', 'key')] : []),
		sessionPhaseSpan(model) ?? span('Nothing waits for you.', 'dim'),
	];
};
