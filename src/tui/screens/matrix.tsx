import {Box} from 'ink';
import {Rows} from '../components/rows.tsx';
import {Rule} from '../components/rule.tsx';
import {matrixRows, meetingText} from '../formatting/matrix-rows.ts';
import {cellOf, columnNames, rowNames} from '../model/cell.ts';
import type {Context, MatrixPlace} from '../model/view.ts';
import {blank, paragraph, row, span} from '../rows/row.ts';
import type {ScreenProps} from './screen-props.ts';

export type MatrixViewProps = ScreenProps & {readonly place: MatrixPlace};

/** Rows for what is to be said of the cell that the person is at; all of it is behind Enter. */
const [fewestAboutRows, mostAboutRows] = [2, 4];

/** All agents against each other and the target: how many findings of which type. */
export const MatrixView = ({context, place, height}: MatrixViewProps) => {
	const {state} = context.model;
	const {columns} = context.view.size;
	const cell = cellOf(state, place);
	const {head, agents, from, to} = matrixRows(state, cell, columns);
	const names = columnNames(state);
	const emptiness = emptyText(context);
	const about = emptiness === undefined ? paragraph(meetingText(state, cell), columns) : [];
	const aboutRows = Math.min(mostAboutRows, Math.max(fewestAboutRows, about.length));
	const room = height - aboutRows - 3;
	const isHere = agents[rowNames(state).indexOf(cell?.[0] ?? '')] ?? [];
	const rows = agents.flatMap(lines => [...lines, blank]);
	const end = rows.indexOf(isHere.at(-1) ?? blank) + 1;
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule
				columns={columns}
				left={[span('Collisions', 'strong')]}
				right={
					to - from === names.length
						? []
						: [span(`columns ${from + 1}–${to} of ${names.length}`, 'info')]
				}
			/>
			<Rows rows={[emptiness === undefined ? head : blank]} height={1} />
			<Rows
				rows={emptiness === undefined ? rows : [row(`  ${emptiness}`)]}
				height={room}
				offset={emptiness === undefined ? Math.max(0, end - room) : 0}
			/>
			<Rule columns={columns} />
			<Rows rows={about} height={aboutRows} />
		</Box>
	);
};

const emptyText = ({model: {state}}: Context): string | undefined =>
	state.session?.ended
		? 'The session has ended; nothing is compared any more.'
		: state.agents.length === 0
			? 'There is no agent yet, so there is nothing to compare.'
			: undefined;
