import {ProgressBar} from '@inkjs/ui';
import {Box} from 'ink';
import type {Model} from '../../client/model.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {numbersRow} from '../formatting/agent-look.ts';
import {span} from '../rows/row.ts';
import {Line} from './line.tsx';

const barColumns = 10;

export type NumbersProps = {readonly agent: Agent; readonly model: Model};

/** How far an agent says it is, and what can be counted of it. */
export const Numbers = ({agent, model}: NumbersProps) => {
	const {progress} = agent;
	return (
		<Box height={1} overflow="hidden" flexShrink={0} paddingLeft={2} columnGap={1}>
			{progress !== null && (
				<Box width={barColumns} flexShrink={0}>
					<ProgressBar value={progress} />
				</Box>
			)}
			<Line
				row={[
					span(progress === null ? '' : `${Math.round(progress)} %  `, 'strong'),
					...numbersRow(agent, model),
				]}
			/>
		</Box>
	);
};
