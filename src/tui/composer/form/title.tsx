import {Rows} from '../../components/rows.tsx';
import {type Row, span, widthOfRow} from '../../rows/row.ts';
import {cut} from '../../rows/text.ts';
import type {Desk} from '../desk.ts';
import {isUnsaved} from '../model/moves.ts';
import type {Context} from '../model/view.ts';

/** The first row: that this is a plan, where it is saved, and where its result goes. */
export const Title = ({context}: {readonly context: Context}) => {
	const {columns} = context.view.size;
	const left: Row = [span(' delegate-tui ', 'selected'), span(titleOf(context.desk), 'strong')];
	const right = rightOf(context);
	const gap = columns - widthOfRow(left) - widthOfRow(right);
	return <Rows rows={[[...left, span(' '.repeat(Math.max(1, gap))), ...right]]} height={1} />;
};

const titleOf = ({purpose, instead}: Desk): string =>
	instead === undefined ? titles[purpose] : ` In place of ${instead}`;

const titles = {start: ' Plan a session', edit: ' Change the plan', add: ' Add an agent'} as const;

const rightOf = ({desk, view}: Context): Row => {
	const {file, composition} = view;
	const target = composition.target.trim() || desk.branch;
	return [
		...(file === undefined ? [] : [span(`${cut(file.path, 30)} `, 'info')]),
		isUnsaved(view) ? span('not saved', 'warn') : span(file === undefined ? 'new' : 'saved', 'dim'),
		span(target === undefined ? ' ' : `  → ${cut(target, 24)} `, 'info'),
	];
};
