import type {Item} from '../../../state/item.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import type {Row} from '../../rows/row.ts';
import {approvalFacts} from './approval.ts';
import {blockerFacts} from './blocker.ts';
import {checkpointFacts} from './checkpoint.ts';
import {conflictFacts} from './conflict/conflict.ts';
import {delegationFacts} from './delegation.ts';
import {failureFacts} from './failure.ts';
import {limitFacts} from './limit.ts';
import {permissionFacts} from './permission.ts';
import {planRows} from './plan.ts';
import {questionFacts} from './question.ts';
import {reviewFacts} from './review.ts';
import {scopeFacts} from './scope.ts';
import {verifyFacts} from './verify/verify.ts';

/** What a person needs to know of an item to decide it. */
export const factsOf = (
	context: Pick<Context, 'model' | 'table'>,
	item: Item,
	place: Pick<ItemPlace, 'together'>,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	switch (item.kind) {
		case 'plan':
			return planRows(model, columns);
		case 'question':
			return questionFacts(model, item, place, columns);
		case 'checkpoint':
			return checkpointFacts(model, item, columns);
		case 'review':
			return reviewFacts(model, item, columns);
		case 'blocker':
			return blockerFacts(model, item, columns);
		case 'delegation':
			return delegationFacts(model, item, columns);
		case 'permission':
			return permissionFacts(model, item, columns);
		case 'scope':
			return scopeFacts(model, item, columns);
		case 'limit':
			return limitFacts(model, item, columns);
		case 'failure':
			return failureFacts(context, item, columns);
		case 'conflict':
			return conflictFacts(model, item, columns);
		case 'verify':
			return verifyFacts(model, item, columns);
		case 'approval':
			return approvalFacts(model, item, columns);
	}
};
