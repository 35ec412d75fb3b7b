import {type Document, isScalar, isSeq, type YAMLMap} from 'yaml';
import type {Composition} from '../model/composition.ts';

/**
Keeps the ids of a file's agents when one of them was taken out, and lets nobody wait for that one.

Ids that stand nowhere are given by order, so without this the others would be named again.
*/
export const keepIds = (
	document: Document,
	nodes: readonly YAMLMap[],
	{subtasks, source}: Composition,
): void => {
	const left = (source?.form.subtasks ?? [])
		.map(({id}) => id)
		.filter(id => subtasks.every(subtask => subtask.id !== id));
	if (left.length === 0) {
		return;
	}

	for (const [index, node] of nodes.entries()) {
		if (!node.has('id')) {
			node.items.unshift(document.createPair('id', subtasks[index]?.id));
		}

		forget(node, left);
	}
};

const forget = (node: YAMLMap, ids: readonly string[]): void => {
	const after = node.get('after');
	if (isSeq(after)) {
		after.items = after.items.filter(item => !(isScalar(item) && ids.includes(String(item.value))));
	}
};
