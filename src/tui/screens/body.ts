import type {Context, Place} from '../model/view.ts';
import {type Row, span} from '../rows/row.ts';
import {agentRows} from './agent-rows.ts';
import {checkRows} from './check-rows.ts';
import {findingsRows} from './findings-rows.ts';
import {helpRows} from './help-rows.ts';
import {hunkRows} from './hunks/hunk-rows.ts';
import {frameRows, itemLayout} from './item-layout.ts';
import {shownWorkKey} from './items/work/work.ts';
import {logRows} from './log-rows.ts';
import {pickingRows} from './picking/picking-rows.ts';
import {answersRows} from './questions/answers-rows.ts';
import {formLayout} from './questions/form-layout.ts';
import {type ShownDiff, shownDiff} from './shown-diff.ts';

/** What can be scrolled where the person is: its rows, and which of them are in sight. */
export type Body = {
	readonly rows: readonly Row[];
	readonly height: number;
	/** The largest offset that still fills the window. */
	readonly last: number;
	readonly offset: number;
	/** Where in the rows a diff begins, if they hold one. */
	readonly diff?: ShownDiff | undefined;
};

export const bodyOf = (context: Context): Body => {
	const {model, view} = context;
	const {place, size, scroll} = view;
	const height = size.rows - frameRows(context) - 2;
	switch (place.at) {
		case 'item': {
			const layout = itemLayout(context, place);
			return {
				...fromTop(layout?.body ?? [], layout?.bodyHeight ?? 1, scroll),
				diff: layout?.diff,
			};
		}

		case 'questions': {
			const layout = formLayout(context);
			return fromTop(layout?.body ?? [], layout?.bodyHeight ?? 1, scroll);
		}

		case 'agent': {
			const rows = agentRows(context, place);
			const key = shownWorkKey(model.state, place.agent, view);
			return place.show === 'words'
				? following(rows, height, scroll)
				: {
						...fromTop(rows, height, scroll),
						diff: place.show === 'work' ? shownDiff(model, key, size.columns - 2, 0) : undefined,
					};
		}

		case 'hunks':
			return fromTop(hunkRows(context, place), height, scroll);
		case 'picking':
			return fromTop(pickingRows(context, place), height, scroll);
		case 'answers':
			return fromTop(answersRows(context), height, scroll);
		case 'log':
			return following(logRows(context), height, scroll);
		case 'check':
			return following(checkRows(context), height, scroll);
		case 'findings':
			return fromTop(findingsRows(context, place), height, scroll);
		case 'help':
			return fromTop(helpRows(context, place), height, scroll);
		case 'board':
		case 'inbox':
		case 'matrix':
			return fromTop([], height, 0);
	}
};

const fromTop = (rows: readonly Row[], height: number, scroll: number): Body => {
	const last = Math.max(0, rows.length - height);
	return {rows, height, last, offset: Math.min(scroll, last)};
};

/** Whoever has scrolled up stays where they are while more comes; see `scrollTo`. */
const following = (rows: readonly Row[], height: number, scroll: number): Body =>
	fromTop(rows, height, scroll === 0 ? rows.length : scroll - 1);

/** Returns what to keep of being at an offset of what is scrolled in a place: at the end of what grows, that it is followed. */
export const scrollTo = (place: Place, {last}: Body, offset: number): number =>
	!grows(place) ? offset : offset >= last ? 0 : offset + 1;

const grows = (place: Place): boolean =>
	place.at === 'log' || place.at === 'check' || (place.at === 'agent' && place.show === 'words');

/** How much there is that does not fit, so that nobody takes a part for the whole. */
export const positionInBody = ({rows, height, offset, last}: Body): Row =>
	last === 0
		? []
		: [
				span(
					`${offset + 1}–${Math.min(rows.length, offset + height)} of ${rows.length}${offset < last ? ' ↓' : ''}`,
					offset < last ? 'info' : 'dim',
				),
			];
