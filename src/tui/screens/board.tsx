import {Box} from 'ink';
import type {Agent} from '../../state/agent/agent.ts';
import {CheckPane} from '../components/check-pane.tsx';
import {MergedPane, mergedPaneRows} from '../components/merged-pane.tsx';
import {Pane} from '../components/pane.tsx';
import {Rows} from '../components/rows.tsx';
import {stateSpan} from '../formatting/agent-look.ts';
import {checkOf} from '../formatting/check-look.ts';
import {mergedOf} from '../formatting/merged-rows.ts';
import {type Row, row, span} from '../rows/row.ts';
import type {ScreenProps} from './screen-props.ts';

/** Panes that are shown at once. */
const maximumPanes = 3;

/** From here on panes stand side by side; below, each has the whole width and fewer rows. */
const wideColumns = 150;

/** Part of the board that the running check takes: by then no agent is at work. */
const checkShare = 0.4;

/** All agents at a glance, below them the check of what they did, while it runs, and above them what was merged in the end. */
export const Board = ({context, height}: ScreenProps) => {
	const {model, view} = context;
	const {agents} = model.state;
	if (agents.length === 0) {
		const why =
			model.trouble === undefined
				? row('The session is starting …', 'dim')
				: row('Nothing of the session can be read.', 'warn');
		return <Rows rows={[why]} height={height} />;
	}

	const focused = Math.max(
		0,
		agents.findIndex(({id}) => id === view.agent),
	);
	const first = Math.min(Math.max(0, focused - 1), Math.max(0, agents.length - maximumPanes));
	const panes = agents.slice(first, first + maximumPanes);
	const isWide = view.size.columns >= wideColumns;
	const list = agents.length > maximumPanes;
	const check = checkOf(model);
	const checked = check?.phase === 'running' ? Math.floor(height * checkShare) : 0;
	const merged = mergedOf(model);
	const room = height - (list ? 1 : 0) - checked - (merged === undefined ? 0 : mergedPaneRows);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			{merged && <MergedPane model={model} merged={merged} columns={view.size.columns} />}
			{list && <Rows rows={[listRow(agents, focused)]} height={1} />}
			<Box flexDirection={isWide ? 'row' : 'column'} columnGap={2} overflow="hidden">
				{panes.map((agent, index) => (
					<Pane
						key={agent.id}
						model={model}
						agent={agent}
						number={first + index + 1}
						isFocused={first + index === focused}
						columns={
							isWide
								? Math.floor((view.size.columns - 2 * (panes.length - 1)) / panes.length)
								: view.size.columns
						}
						height={isWide ? room : share(room, panes.length, index)}
					/>
				))}
			</Box>
			{check?.phase === 'running' && (
				<CheckPane model={model} check={check} columns={view.size.columns} height={checked} />
			)}
		</Box>
	);
};

/** Returns the rows of one pane among several, so that together they fill the room. */
const share = (room: number, panes: number, index: number): number =>
	Math.floor((room * (index + 1)) / panes) - Math.floor((room * index) / panes);

const listRow = (agents: readonly Agent[], focused: number): Row =>
	agents.flatMap((agent, index) => {
		const {tone} = stateSpan(agent);
		const sign = stateSpan(agent).text.charAt(0);
		return [
			span(`${index + 1} ${agent.id}`, index === focused ? 'selected' : 'plain'),
			span(` ${sign}  `, tone),
		];
	});
