import {formatDuration} from '../../../lib/text/duration.ts';
import {Rows} from '../../components/rows.tsx';
import {Writing} from '../../components/writing.tsx';
import {blank, type Row, row} from '../../rows/row.ts';
import {cut} from '../../rows/text.ts';
import type {Context} from '../model/view.ts';

export type AskingProps = {readonly context: Context; readonly height: number};

const planningRows = ({desk, view}: Context, height: number): readonly Row[] => {
	const progress = view.dialog.kind === 'proposing' ? view.dialog.progress : undefined;
	const elapsed = formatDuration(progress?.elapsedMs ?? 0);
	const lines = (progress?.lines ?? []).slice(1 - height);
	return [
		row(
			cut(
				` ${desk.planner} looks at the repository and plans, for ${elapsed} so far`,
				view.size.columns,
			),
			'strong',
		),
		...lines.map(line => row(cut(`   ${line}`, view.size.columns), 'dim')),
	];
};

/** Where the person says whether they mean it, or names a file. */
export const Asking = ({context, height}: AskingProps) => {
	const {dialog, size} = context.view;
	switch (dialog.kind) {
		case 'confirming':
			return (
				<Rows
					rows={[blank, row(` ${dialog.question}`, 'warn'), row(' y yes   n no', 'key')]}
					height={height}
				/>
			);
		case 'path':
			return (
				<Writing
					label={dialog.wants === 'save' ? 'Save the plan as' : 'Open the plan file'}
					draft={dialog.draft}
					columns={size.columns}
					height={height}
				/>
			);
		case 'proposing':
			return <Rows rows={planningRows(context, height)} height={height} />;
		case 'none':
		case 'writing':
		case 'waiting':
			return null;
	}
};
