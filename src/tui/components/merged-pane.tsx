import {Box} from 'ink';
import type {Model} from '../../client/model.ts';
import {type mergedOf, mergedRows, mergedSpan} from '../formatting/merged-rows.ts';
import {span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {Rows} from './rows.tsx';
import {Rule} from './rule.tsx';

/** Rows that the pane takes: its title, and what was merged. */
export const mergedPaneRows = 5;

export type MergedPaneProps = {
	readonly model: Model;
	readonly merged: NonNullable<ReturnType<typeof mergedOf>>;
	readonly columns: number;
};

/** What came of the session, on the board once it has ended. */
export const MergedPane = ({model, merged, columns}: MergedPaneProps) => {
	const state = mergedSpan(merged);
	const title = `Merged into ${model.state.session?.target ?? ''}`;
	return (
		<Box
			flexDirection="column"
			width={columns}
			height={mergedPaneRows}
			overflow="hidden"
			flexShrink={0}
		>
			<Rule
				columns={columns}
				left={[span(cut(title, Math.max(8, columns - state.text.length - 7)), 'strong')]}
				right={[state]}
			/>
			<Rows rows={mergedRows(model, merged, columns)} height={mergedPaneRows - 1} />
		</Box>
	);
};
