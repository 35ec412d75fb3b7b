import {Box} from 'ink';
import {Rows} from '../../components/rows.tsx';
import {Rule} from '../../components/rule.tsx';
import type {Context} from '../model/view.ts';
import {Asking} from './asking.tsx';
import {findingRows, findingsTitle} from './finding-rows.ts';
import {formRows} from './form-rows.ts';
import {Side} from './side.tsx';

export type FormViewProps = {readonly context: Context; readonly height: number};

/** From here on the form and what is found in it stand side by side. */
const wideColumns = 140;

/** Rows for what a person is asked, or for what a planner does. */
const askingRows = {path: 3, confirming: 3, proposing: 6, none: 0, writing: 0, waiting: 0} as const;

/** The form, and what is wrong with it, as far as there is room; the field that the person is at always is. */
export const FormView = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const {dialog} = context.view;
	const asks = askingRows[dialog.kind];
	const room = height - asks;
	return (
		<Box flexDirection="column" height={height} overflow="hidden" flexShrink={0}>
			{columns >= wideColumns ? (
				<Wide context={context} height={room} />
			) : (
				<Narrow context={context} height={room} />
			)}
			{asks > 0 && <Asking context={context} height={asks} />}
		</Box>
	);
};

const Wide = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const side = Math.floor(columns * 0.42);
	return (
		<Box height={height} columnGap={2} overflow="hidden">
			<Form context={context} columns={columns - side - 2} height={height} />
			<Side context={context} columns={side} height={height} />
		</Box>
	);
};

const Narrow = ({context, height}: FormViewProps) => {
	const {columns} = context.view.size;
	const findings = findingRows(context, columns);
	const shown = Math.min(findings.length, Math.max(3, Math.floor(height * 0.3)));
	const hidden = findings.length - shown;
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Form context={context} columns={columns} height={height - shown - 1} />
			<Rule
				columns={columns}
				left={findingsTitle(context)}
				right={hidden > 0 ? [{text: `${hidden} rows more`, tone: 'dim'}] : []}
			/>
			<Rows rows={findings} height={shown} />
		</Box>
	);
};

type FormProps = {
	readonly context: Context;
	readonly columns: number;
	readonly height: number;
};

const Form = ({context, columns, height}: FormProps) => {
	const {rows, first, last, writing} = formRows(context, columns);
	const center = context.view.dialog.kind === 'writing' ? writing : first;
	const most = Math.max(0, rows.length - height);
	const wanted = Math.max(center, Math.min(last, center + 2)) - height + 2;
	const offset = Math.min(most, Math.max(0, Math.min(wanted, center)));
	return (
		<Box width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rows rows={rows} height={height} offset={offset} width={columns} />
		</Box>
	);
};
