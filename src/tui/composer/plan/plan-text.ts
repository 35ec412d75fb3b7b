import {Document, isAlias, isMap, isSeq, parseDocument, visit, YAMLMap, YAMLSeq} from 'yaml';
import {type Composition, isSameForm} from '../model/composition.ts';
import {knownFields, planParts} from '../model/field.ts';
import {fieldValue} from './field-value.ts';
import {keepIds} from './subtask-ids.ts';
import {writeSubtask} from './subtask-node.ts';
import {writePart} from './yaml-part.ts';

/**
Writes a plan as a plan file.

Of a plan that was begun from a file only what the person changed is written again: comments, keys that the form does not show and the values of environments stay.
*/
export const planText = (composition: Composition, profiles: readonly string[]): string => {
	const {source} = composition;
	const before = source?.form;
	if (source !== undefined && isSameForm(composition, source.form)) {
		return source.text;
	}

	const document = begin(source?.text);
	const plan = isMap(document.contents) ? document.contents : new YAMLMap(document.schema);
	document.contents = plan;
	for (const part of planParts) {
		const {kind, path} = knownFields[part];
		const text = composition[part];
		writePart(document, plan, path, (before?.[part] ?? '') !== text, fieldValue(kind, text));
	}

	plan.set('agents', agentsOf(document, composition, profiles));
	return document.toString({lineWidth: 0, flowCollectionPadding: false});
};

/** Parts of the file that stand for each other must not be taken apart, so they are written out. */
const begin = (text: string | undefined): Document => {
	if (text === undefined) {
		return new Document({version: 1});
	}

	const document = parseDocument(text, {stringKeys: true});
	let hasAlias = false;
	visit(document, (_, node) => {
		hasAlias ||= isAlias(node);
	});
	return hasAlias ? new Document(document.toJS()) : document;
};

const agentsOf = (
	document: Document,
	composition: Composition,
	profiles: readonly string[],
): YAMLSeq => {
	const known = document.get('agents');
	const agents = isSeq(known) ? known : new YAMLSeq(document.schema);
	const items = agents.items.filter(isMap);
	const before = composition.source?.form.subtasks;
	const nodes = composition.subtasks.map((subtask, index) => {
		const {origin = -1} = subtask;
		const node = items[origin] ?? new YAMLMap(document.schema);
		if (index === composition.joining) {
			node.set('id', subtask.id);
		}

		writeSubtask(document, node, {before: before?.[origin], now: subtask, profiles});
		return node;
	});
	keepIds(document, nodes, composition);
	agents.items = nodes;
	return agents;
};
