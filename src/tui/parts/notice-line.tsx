import {Box} from 'ink';
import {inbox} from '../../rules/inbox.ts';
import type {Model} from '../model.ts';
import {type Row, span} from '../rows/row.ts';
import type {Context} from '../view/view.ts';
import {Line} from './line.tsx';

/** The row for one sentence: what the last key came to, else what is wrong, else what comes next. */
export const NoticeLine = ({context}: {readonly context: Context}) => (
	<Box height={1} overflow="hidden" flexShrink={0}>
		<Line row={noticeRow(context)} />
	</Box>
);

const signs = {good: '✓', bad: '✗', warn: '!', info: '·'} as const;

const noticeRow = ({model, view}: Context): Row => {
	const {notice, place} = view;
	if (notice !== undefined) {
		const said = span(`${signs[notice.tone]} ${notice.text}`, notice.tone);
		return place.at === 'board' && model.state.items.length > 0
			? [said, span('   '), ...nextRow(model)]
			: [said];
	}

	if (model.trouble !== undefined) {
		return [span(`✗ This is not read on: ${model.trouble}`, 'bad')];
	}

	return place.at === 'board' ? nextRow(model) : [];
};

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
		return [
			span(
				`The session has ended: ${session.ended.why}`,
				merge.phase === 'published' ? 'good' : 'info',
			),
		];
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
