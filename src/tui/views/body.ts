import type {Row} from '../rows/row.ts';
import type {Context} from '../view/view.ts';
import {agentRows} from './agent-rows.ts';
import {helpRows} from './help-rows.ts';
import {frameRows, itemLayout} from './item-layout.ts';
import {logRows} from './log-rows.ts';

/** What can be scrolled where the person is: its rows, and which of them are in sight. */
export type Body = {
	readonly rows: readonly Row[];
	readonly height: number;
	/** The largest offset that still fills the window. */
	readonly last: number;
	readonly offset: number;
};

export const bodyOf = (context: Context): Body => {
	const {view} = context;
	const {place, size, scroll} = view;
	const height = size.rows - frameRows(context) - 2;
	switch (place.at) {
		case 'item': {
			const layout = itemLayout(context, place);
			return fromTop(layout?.body ?? [], layout?.bodyHeight ?? 1, scroll);
		}

		case 'agent':
			return place.show === 'words'
				? fromEnd(agentRows(context, place), height, scroll)
				: fromTop(agentRows(context, place), height, scroll);
		case 'log':
			return fromEnd(logRows(context), height, scroll);
		case 'help':
			return fromTop(helpRows(context, place), height, scroll);
		default:
			return fromTop([], height, 0);
	}
};

const fromTop = (rows: readonly Row[], height: number, scroll: number): Body => {
	const last = Math.max(0, rows.length - height);
	return {rows, height, last, offset: Math.min(scroll, last)};
};

const fromEnd = (rows: readonly Row[], height: number, scroll: number): Body => {
	const last = Math.max(0, rows.length - height);
	return {rows, height, last, offset: Math.max(0, last - scroll)};
};
