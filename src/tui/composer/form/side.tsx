import {Box} from 'ink';
import {counted} from '../../../lib/text/counted.ts';
import {Rows} from '../../components/rows.tsx';
import {Rule} from '../../components/rule.tsx';
import {row, span} from '../../rows/row.ts';
import {cut} from '../../rows/text.ts';
import {fieldAt} from '../model/moves.ts';
import type {Context} from '../model/view.ts';
import {findingRows, findingsTitle} from './finding-rows.ts';

export type SideProps = {
	readonly context: Context;
	readonly columns: number;
	readonly height: number;
};

/** Beside the form: what is found in it, and the files that the agent at hand may write. */
export const Side = ({context, columns, height}: SideProps) => {
	const {view, judgement} = context;
	const {agent} = fieldAt(view);
	const findings = findingRows(context, columns);
	const shown = Math.min(findings.length, Math.floor(height * (agent === undefined ? 1 : 0.6)) - 1);
	const files = agent === undefined ? [] : (judgement.reach[agent] ?? []);
	return (
		<Box flexDirection="column" width={columns} height={height} overflow="hidden" flexShrink={0}>
			<Rule columns={columns} left={findingsTitle(context)} />
			<Rows rows={findings} height={shown} />
			{agent !== undefined && (
				<>
					<Rule
						columns={columns}
						left={[span(`${view.composition.subtasks[agent]?.id} may write`, 'strong')]}
						right={[span(counted(files.length, 'file'), 'dim')]}
					/>
					<Rows
						rows={files.slice(0, height).map(file => row(cut(` ${file}`, columns)))}
						height={height - shown - 2}
					/>
				</>
			)}
		</Box>
	);
};
