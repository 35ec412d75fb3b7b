import {Box} from 'ink';
import {agentOf} from '../../state/select.ts';
import {Rows} from '../parts/rows.tsx';
import {Rule} from '../parts/rule.tsx';
import {numbersRow, stateSpan} from '../rows/agent-look.ts';
import {type Row, span} from '../rows/row.ts';
import type {Context} from '../view/view.ts';
import {bodyOf} from './body.ts';

export type ScrolledProps = {readonly context: Context; readonly height: number};

/** A place that is one long list of rows: an agent's words or work, the log, the help. */
export const Scrolled = ({context, height}: ScrolledProps) => {
	const {columns} = context.view.size;
	const {rows, height: room, offset, last} = bodyOf(context);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule columns={columns} left={titleOf(context)} />
			<Rows rows={rows} height={room} offset={offset} />
			<Rule
				columns={columns}
				right={last === 0 ? [] : [span(`${offset + 1}–${offset + room} of ${rows.length}`, 'dim')]}
			/>
		</Box>
	);
};

const titleOf = ({model, view}: Context): Row => {
	const {place} = view;
	switch (place.at) {
		case 'agent': {
			const agent = agentOf(model.state, place.agent);
			const what = place.show === 'words' ? 'its words' : 'the diff of its last snapshot';
			return agent === undefined
				? [span(place.agent)]
				: [
						span(`${agent.id} `, 'strong'),
						stateSpan(agent),
						span(`  ${what}  `, 'info'),
						...numbersRow(agent, model.now),
					];
		}

		case 'log':
			return [span('Log', 'strong')];
		default:
			return [span('Keys', 'strong')];
	}
};
