import {Box} from 'ink';
import {Rows} from '../../components/rows.tsx';
import {Rule} from '../../components/rule.tsx';
import {keyRows} from '../../formatting/key-rows.ts';
import {type Row, row, section, span} from '../../rows/row.ts';
import type {Context, Where} from '../model/view.ts';

export type HelpProps = {readonly context: Context; readonly height: number};

/** The keys of the composer; for those that don't work now, why. */
export const Help = ({context, height}: HelpProps) => {
	const {columns} = context.view.size;
	const rows = helpRows(context);
	const room = height - 2;
	const offset = Math.min(context.view.scroll, Math.max(0, rows.length - room));
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule columns={columns} left={[span('Keys', 'strong')]} />
			<Rows rows={rows} height={room} offset={offset} />
			<Rule
				columns={columns}
				right={rows.length > room ? [span(`${offset + 1} of ${rows.length} rows`, 'dim')] : []}
			/>
		</Box>
	);
};

const titles: readonly (readonly [Where, string])[] = [
	['form', 'In the plan'],
	['writing', 'While you write'],
	['proposing', 'While a planner is at work'],
];

const helpRows = (context: Context): readonly Row[] => [
	...titles.flatMap(([where, title]) =>
		section(
			title,
			context.table
				.filter(action => action.where.includes(where))
				.flatMap(action => keyRows(context, action, context.view.size.columns)),
		),
	),
	...section('Good to know', [
		row('Everything is judged as you write it, as a plan file is when it is run.'),
		row('Comments of a plan file, and environments of its agents, stay in it when you save.'),
		row('A line of a check that begins with a space goes on with the command above.'),
		row('Text can be pasted into the field you are at, whether you write there or not.'),
	]),
];
