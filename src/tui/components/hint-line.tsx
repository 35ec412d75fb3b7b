import {Box} from 'ink';
import type {Context} from '../model/view.ts';
import {span} from '../rows/row.ts';
import {Line} from './line.tsx';

/** The row that says what to try next, where somebody is to be shown around. */
export const HintLine = ({context: {hint, model, view}}: {readonly context: Context}) =>
	hint === undefined ? null : (
		<Box height={1} overflow="hidden" flexShrink={0}>
			<Line row={[span('★ Try: ', 'info'), span(hint(model.state, view), 'info')]} />
		</Box>
	);
