import type {Paper} from '../../client/model.ts';
import {counted} from '../../lib/text/counted.ts';
import type {Item} from '../../state/item.ts';
import {addedLines, filesOf} from '../rows/diff-rows.ts';
import {type Body, bodyOf} from '../screens/body.ts';
import {diffKey, hasDiff} from '../screens/item-layout.ts';
import {isTooSmall} from '../terminal/size.ts';
import {isSeen, withRows} from './seen.ts';
import type {Context, View} from './view.ts';

/** Returns the view with what is on the screen now counted as seen. */
export const looked = (context: Context): View => {
	const {view} = context;
	const body = isTooSmall(view.size) ? undefined : bodyOf(context);
	if (body?.diff === undefined) {
		return view;
	}

	const {paper, columns, from} = body.diff;
	const first = Math.max(0, body.offset - from);
	const end = Math.max(0, Math.min(body.rows.length, body.offset + body.height) - from);
	const known = view.seen[paper];
	const seen = withRows(known, columns, [first, end]);
	return seen === known ? view : {...view, seen: {...view.seen, [paper]: seen}};
};

/**
Returns in sentences what of the diff of the open item has not been on the screen; none when a person could have read all of it.

Whoever says yes to what they can't have read is told so first.
*/
export const unseen = (context: Context, item: Item): readonly string[] => {
	const {model} = context;
	const key = hasDiff(item) ? diffKey(model.state, item) : undefined;
	if (key === undefined) {
		return [];
	}

	const paper = model.papers[key];
	return paper?.phase === 'ready'
		? [...unseenLines(context, bodyOf(context), key), ...unshown(paper)]
		: ['Its diff was not on the screen.'];
};

const unseenLines = ({view}: Context, {rows, diff}: Body, whole: string): readonly string[] => {
	if (diff === undefined) {
		return ['Its diff was not on the screen.'];
	}

	if (diff.paper !== whole) {
		return ['Only what is new since its last checkpoint is on the screen.'];
	}

	const seen = withRows(view.seen[diff.paper], diff.columns, [0, 0]);
	const left = addedLines(rows.slice(diff.from)).filter(range => !isSeen(seen, range)).length;
	return left === 0
		? []
		: [`${counted(left, 'added line')} ${left === 1 ? 'was' : 'were'} not on the screen.`];
};

/** What no scrolling leads to. */
const unshown = (paper: Extract<Paper, {phase: 'ready'}>): readonly string[] => {
	const {lines, total, cut = 0} = paper;
	const noText = (filesOf(paper) ?? []).filter(({isText}) => !isText).length;
	return [
		...(total > lines.length
			? [`${counted(total - lines.length, 'line')} can’t be shown here.`]
			: []),
		...(cut > 0 ? [`Of ${counted(cut, 'line')} only the beginning can be shown.`] : []),
		...(noText > 0
			? [`Of ${counted(noText, 'file')} nothing can be shown, since it is no text.`]
			: []),
	];
};
