import type {Resource} from '../../../../client/model.ts';
import {diffRows} from '../../../rows/diff-rows.ts';
import {blank, paragraph, type Row} from '../../../rows/row.ts';

/** Returns a diff as rows, below what has to be known to read it; where there can't be one, why. */
export const changeRows = (resource: Resource, columns: number): readonly Row[] => {
	if (resource.phase === 'failed') {
		return paragraph(resource.why, columns, 'warn');
	}

	const remark = resource.phase === 'ready' ? resource.remark : undefined;
	return remark === undefined
		? diffRows(resource, columns)
		: [...paragraph(remark, columns, 'warn'), blank, ...diffRows(resource, columns)];
};
