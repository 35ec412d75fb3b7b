import {Box} from 'ink';
import type {Agent} from '../../state/agent.ts';
import type {Model} from '../model.ts';
import {isUnderWay, stateSpan, waitingRow} from '../rows/agent-look.ts';
import {row, span} from '../rows/row.ts';
import {spoken} from '../rows/spoken.ts';
import {cut} from '../rows/text.ts';
import {Line} from './line.tsx';
import {Numbers} from './numbers.tsx';
import {Rows} from './rows.tsx';
import {Rule} from './rule.tsx';

export type PaneProps = {
	readonly model: Model;
	readonly agent: Agent;
	readonly number: number;
	readonly isFocused: boolean;
	readonly columns: number;
	readonly height: number;
};

/** One agent on the board: who it is, how it stands, what it waits for, and its last words. */
export const Pane = ({model, agent, number, isFocused, columns, height}: PaneProps) => {
	const said = spoken(model.tails[agent.id] ?? [], isUnderWay(agent) ? 'told elsewhere' : 'told');
	const words = Math.max(0, height - 3);
	const state = stateSpan(agent);
	const title = cut(
		`${number} ${agent.id} ${agent.subtask.subtask}`,
		Math.max(8, columns - state.text.length - 7),
	);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule
				columns={columns}
				left={[span(title, isFocused ? 'selected' : 'strong')]}
				right={[state]}
			/>
			<Numbers agent={agent} now={model.now} />
			<Box height={1} overflow="hidden" flexShrink={0}>
				<Line row={[span('  '), ...waitingRow(model.state, agent)]} />
			</Box>
			<Rows rows={said.slice(-words).map(line => row(`  ${line}`, 'plain'))} height={words} />
		</Box>
	);
};
