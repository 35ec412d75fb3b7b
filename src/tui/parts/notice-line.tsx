import {StatusMessage} from '@inkjs/ui';
import {Box} from 'ink';
import {inbox} from '../../rules/inbox.ts';
import {type Notice as MachineNotice, noticesOf} from '../../rules/notices.ts';
import {sessionStatus} from '../../rules/status.ts';
import type {Model} from '../model.ts';
import {type Row, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import type {Context, Notice} from '../view/view.ts';
import {Line} from './line.tsx';

/** The row for one sentence: what the last key came to, or what is wrong; and on the board what comes next. */
export const NoticeLine = ({context}: {readonly context: Context}) => {
	const {model, view} = context;
	const next = view.place.at === 'board' ? nextRow(model) : [];
	const own = view.notice ?? troubleOf(model);
	const notice = own ?? noticesOf(model.state).map(toneOf)[0];
	// What a machine has to say must not hide what a person is to decide.
	const share = own === undefined && next.length > 0 ? 2 : 1;
	return (
		<Box height={1} overflow="hidden" flexShrink={0} columnGap={3}>
			{notice && (
				<Box flexShrink={0}>
					<StatusMessage variant={variants[notice.tone]}>
						{cut(notice.text, Math.floor(view.size.columns / share) - 2)}
					</StatusMessage>
				</Box>
			)}
			{next.length > 0 && <Line row={next} />}
		</Box>
	);
};

const variants = {good: 'success', bad: 'error', warn: 'warning', info: 'info'} as const;

const toneOf = ({level, text}: MachineNotice): Notice => ({tone: level, text});

const troubleOf = ({trouble}: Model): Notice | undefined =>
	trouble === undefined ? undefined : {tone: 'bad', text: `This is not read on: ${trouble}`};

const nextRow = (model: Model): Row => {
	const {session, merge, landing} = model.state;
	const [next] = inbox(model.state);
	if (next !== undefined) {
		return [
			span('⏎ ', 'key'),
			span(`${next.id} ${next.agent ?? ''} `, 'warn'),
			span(next.title, 'strong'),
		];
	}

	if (session?.ended && landing.phase === 'undone') {
		return [span('The session has ended, and its merge was taken back.', 'warn')];
	}

	if (session?.ended) {
		const tone = merge.phase === 'published' ? 'good' : 'info';
		return [span(`The session has ended: ${session.ended.why}`, tone)];
	}

	switch (merge.phase) {
		case 'built':
			return [
				span('⏎ ', 'key'),
				span('The merged result is being checked; you are asked when that is done', 'info'),
			];
		case 'intended':
			return [span('The approved result is being merged …', 'info')];
		default:
			return sessionStatus(model.state) === 'MERGING'
				? [span('The accepted work is being put together …', 'info')]
				: [span('Nothing waits for you.', 'dim')];
	}
};
