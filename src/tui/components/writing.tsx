import {Box} from 'ink';
import {type Draft, draftLines} from '../model/draft.ts';
import {row, span, writtenRow} from '../rows/row.ts';
import {writingColumns} from '../screens/item-layout.ts';
import {Rows} from './rows.tsx';

type WritingProps = {
	/** What it is that the person writes. */
	readonly label: string;
	readonly draft: Draft;
	readonly columns: number;
	readonly height: number;
};

/** A box to write several lines in; the cursor is drawn, so that it is there in any terminal. */
export const Writing = ({label, draft, columns, height}: WritingProps) => {
	const {lines, row: at, index: cursor} = draftLines(draft, writingColumns(columns));
	const room = Math.max(1, height - 1);
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
	return (
		<Box flexDirection="column" height={height} overflow="hidden" flexShrink={0}>
			<Rows rows={[row(label, 'heading')]} height={1} />
			<Rows
				rows={lines.map((line, index) => [
					span('  '),
					...writtenRow(line, index === at ? cursor : undefined),
				])}
				height={room}
				offset={offset}
			/>
		</Box>
	);
};
