import {Box} from 'ink';
import type {Model} from '../../client/model.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {stateSpan, waitingRow} from '../formatting/agent-look.ts';
import {shortStory} from '../formatting/short-story.ts';
import {span} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
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

/** One agent on the board: who it is, how it stands, what it waits for or does, and the last that it said and did. */
export const Pane = ({model, agent, number, isFocused, columns, height}: PaneProps) => {
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
			<Numbers agent={agent} model={model} />
			<Rows
				rows={[[span('  '), ...waitingRow(model, agent)], ...shortStory(model, agent, words)]}
				height={words + 1}
			/>
		</Box>
	);
};
