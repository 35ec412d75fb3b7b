import type {Paper} from '../../../client/model.ts';
import {diffRows} from '../../rows/diff-rows.ts';
import {blank, paragraph, type Row} from '../../rows/row.ts';

/** Returns a diff as rows, below what has to be known to read it; where there can't be one, why. */
export const changeRows = (paper: Paper, columns: number): readonly Row[] => {
	if (paper.phase === 'failed') {
		return paragraph(paper.why, columns, 'warn');
	}

	const remark = paper.phase === 'ready' ? paper.remark : undefined;
	return remark === undefined
		? diffRows(paper, columns)
		: [...paragraph(remark, columns, 'warn'), blank, ...diffRows(paper, columns)];
};
