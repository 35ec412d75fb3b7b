import {type Document, isMap, type YAMLMap} from 'yaml';
import {hasRivals, type SubtaskForm} from '../model/composition.ts';
import {knownFields, subtaskParts} from '../model/field.ts';
import {agentEntry} from './agent-text.ts';
import {fieldValue} from './field-value.ts';
import {writePart} from './yaml-part.ts';

export type SubtaskChange = {
	readonly before: SubtaskForm | undefined;
	readonly now: SubtaskForm;
	readonly profiles: readonly string[];
};

/** Writes what has changed of an agent's part. */
export const writeSubtask = (document: Document, node: YAMLMap, change: SubtaskChange): void => {
	const {before, now} = change;
	for (const part of subtaskParts) {
		const {kind, path} = knownFields[part];
		const hasChanged = (before?.[part] ?? '') !== now[part];
		if (kind !== 'agent') {
			writePart(document, node, path, hasChanged, fieldValue(kind, now[part]));
		} else if (hasChanged || hasRivals(now) !== hasRivals(before)) {
			writeAgent(document, node, change);
		}
	}
};

/** Another command keeps the environment that it is started in; a profile has its own. */
const writeAgent = (document: Document, node: YAMLMap, {now, profiles}: SubtaskChange): void => {
	if (hasRivals(now)) {
		node.delete('agent');
		return;
	}

	const entry = agentEntry(now.agent, profiles);
	const known = node.get('agent');
	if (typeof entry !== 'object' || !isMap(known)) {
		node.delete('agent');
		writePart(document, node, ['agent'], true, entry ?? '');
		return;
	}

	known.delete('extends');
	known.set('protocol', entry.protocol);
	known.set('command', document.createNode(entry.command, {flow: true}));
	if (entry.protocol === 'acp') {
		for (const key of ['reply', 'stream', 'model', 'trust']) {
			known.delete(key);
		}
	}
};
