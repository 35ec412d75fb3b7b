import {Rows} from '../../components/rows.tsx';
import {Writing} from '../../components/writing.tsx';
import {blank, row} from '../../rows/row.ts';
import type {Context} from '../model/view.ts';

export type AskingProps = {readonly context: Context; readonly height: number};

/** Where the person says whether they mean it, or names a file. */
export const Asking = ({context, height}: AskingProps) => {
	const {dialog, size} = context.view;
	switch (dialog.kind) {
		case 'confirm':
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
		default:
			return null;
	}
};
