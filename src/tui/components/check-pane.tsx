import {Box} from 'ink';
import {checkTail} from '../../client/files/tails.ts';
import type {Model} from '../../client/model.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {type Check, checkSpan} from '../formatting/check-look.ts';
import {row, span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {Rows} from './rows.tsx';
import {Rule} from './rule.tsx';

export type CheckPaneProps = {
	readonly model: Model;
	readonly check: Extract<Check, {phase: 'running'}>;
	readonly columns: number;
	readonly height: number;
};

/** The running check on the board: which command, for how long, and the last that it printed. */
export const CheckPane = ({model, check, columns, height}: CheckPaneProps) => {
	const state = checkSpan(check);
	const title = cut(`Check: ${check.command}`, Math.max(8, columns - state.text.length - 7));
	const lines = (model.tails[checkTail] ?? []).slice(1 - height);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule columns={columns} left={[span(title, 'strong')]} right={[state]} />
			<Rows
				rows={
					lines.length === 0
						? [row('  It has printed nothing yet.', 'dim')]
						: lines.map(line => row(`  ${withoutColors(line)}`))
				}
				height={height - 1}
			/>
		</Box>
	);
};
