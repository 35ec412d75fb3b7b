import {StatusMessage} from '@inkjs/ui';
import {Box} from 'ink';
import {inbox} from '../../rules/inbox.ts';
import type {Model} from '../model.ts';
import {type Row, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import type {Context, Notice} from '../view/view.ts';
import {Line} from './line.tsx';

/** The row for one sentence: what the last key came to, or what is wrong; and on the board what comes next. */
export const NoticeLine = ({context}: {readonly context: Context}) => {
	const {model, view} = context;
	const notice = view.notice ?? troubleOf(model);
	const next = view.place.at === 'board' ? nextRow(model) : [];
	return (
		<Box height={1} overflow="hidden" flexShrink={0} columnGap={3}>
			{notice && (
				<Box flexShrink={0}>
					<StatusMessage variant={variants[notice.tone]}>
						{cut(notice.text, view.size.columns - 2)}
					</StatusMessage>
				</Box>
			)}
			{next.length > 0 && <Line row={next} />}
		</Box>
	);
};

const variants = {good: 'success', bad: 'error', warn: 'warning', info: 'info'} as const;

const troubleOf = ({trouble}: Model): Notice | undefined =>
	trouble === undefined ? undefined : {tone: 'bad', text: `This is not read on: ${trouble}`};

const nextRow = (model: Model): Row => {
	const {session, merge} = model.state;
	const [next] = inbox(model.state);
	if (next !== undefined) {
		return [
			span('⏎ ', 'key'),
			span(`${next.id} ${next.agent ?? ''} `, 'warn'),
			span(next.title, 'strong'),
		];
	}

	if (session?.ended) {
		const tone = merge.phase === 'published' ? 'good' : 'info';
		return [span(`The session has ended: ${session.ended.why}`, tone)];
	}

	switch (merge.phase) {
		case 'built':
			return [span('The merged result is being checked …', 'info')];
		case 'intended':
			return [span('The approved result is being merged …', 'info')];
		default:
			return [span('Nothing waits for you.', 'dim')];
	}
};
