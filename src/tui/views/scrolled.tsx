import {Box} from 'ink';
import {agentOf} from '../../state/select.ts';
import {Rows} from '../parts/rows.tsx';
import {Rule} from '../parts/rule.tsx';
import {numbersRow, stateSpan} from '../rows/agent-look.ts';
import {type Check, checkOf, checkSpan} from '../rows/check-look.ts';
import {type Row, span} from '../rows/row.ts';
import type {Context} from '../view/view.ts';
import {bodyOf, placeInBody} from './body.ts';

export type ScrolledProps = {readonly context: Context; readonly height: number};

/** A place that is one long list of rows: an agent's words or work, the log, the help. */
export const Scrolled = ({context, height}: ScrolledProps) => {
	const {columns} = context.view.size;
	const body = bodyOf(context);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule columns={columns} left={titleOf(context)} />
			<Rows rows={body.rows} height={body.height} offset={body.offset} />
			<Rule columns={columns} right={placeInBody(body)} />
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
		case 'check':
			return checkTitle(checkOf(model));
		default:
			return [span('Keys', 'strong')];
	}
};

const checkTitle = (check: Check | undefined): Row => [
	span('The check of the merged result  ', 'strong'),
	...(check === undefined ? [] : [checkSpan(check)]),
	...(check?.phase === 'running' ? [span(`  ${check.command}`, 'info')] : []),
];
