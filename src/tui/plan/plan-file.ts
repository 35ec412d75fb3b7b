import {
	Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	parseDocument,
	stringify,
	visit,
	YAMLMap,
	YAMLSeq,
} from 'yaml';
import {formatDuration} from '../../lib/text/duration.ts';
import {readYaml} from '../../lib/text/yaml-document.ts';
import {asFields, byKey} from '../../lib/values.ts';
import {giveIds} from '../../rules/plan/agent-ids.ts';
import {type PlanFile, planFileSchema, type SubtaskEntry} from '../../rules/plan/schema.ts';
import {checkShape} from '../../rules/plan/shape.ts';
import {
	type Composition,
	hasRivals,
	isSameForm,
	type PlanForm,
	type SubtaskForm,
} from './composition.ts';
import {
	agentEntry,
	agentText,
	fieldValue,
	joinCommands,
	joinWords,
	knownFields,
	type PartValue,
	type PlanPart,
	planParts,
	type SubtaskPart,
	subtaskParts,
} from './fields.ts';

type OpenedPlan = {readonly composition: Composition} | {readonly why: string};

/**
Parses a plan file into the form.

It must have the shape of a plan, so that nothing in it is lost; all other errors can be fixed in the form.
*/
export const openPlan = (text: string, profiles: readonly string[]): OpenedPlan => {
	const read = readYaml(text, '');
	if ('problems' in read) {
		return {why: firstOf(read.problems)};
	}

	const shaped = checkShape(read.document, planFileSchema);
	if ('problems' in shaped) {
		return {why: firstOf(shaped.problems)};
	}

	const form = formOf(shaped.value, profiles);
	return {composition: {...form, source: {text, form}}};
};

const firstOf = (
	problems: readonly {readonly line: number; readonly column: number; readonly message: string}[],
): string => {
	const [first] = problems;
	const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
	return first === undefined
		? 'It is not a plan.'
		: `${first.line}:${first.column}: ${first.message}${more}`;
};

const formOf = (plan: PlanFile, profiles: readonly string[]): PlanForm => {
	const ids = giveIds(plan.agents);
	return {
		...byKey(planParts, part => textAt(plan, part, profiles)),
		subtasks: plan.agents.map((entry, index) => ({
			...byKey(subtaskParts, part => textAt(entry, part, profiles)),
			id: ids[index] ?? '',
			origin: index,
		})),
	};
};

/** Default values, for which fields are empty. */
const defaults: Readonly<Partial<Record<PlanPart | SubtaskPart, string>>> = {
	supervision: 'supervised',
	thinking: 'standard',
};

/** Writes a value of the file as a field's text, in the form that the field reads. */
const textAt = (
	entry: PlanFile | SubtaskEntry,
	part: PlanPart | SubtaskPart,
	profiles: readonly string[],
): string => {
	const {kind, path} = knownFields[part];
	if (kind === 'agent') {
		return 'subtask' in entry ? agentText(entry.agent, profiles) : '';
	}

	const value = path.reduce<unknown>((map, key) => asFields(map)[key], entry);
	const list = Array.isArray(value) ? value.map(textOf) : [];
	switch (kind) {
		case 'words':
			return joinWords(list);
		case 'lines':
			return joinCommands(list);
		case 'yaml':
			return value === undefined ? '' : stringify(value).trimEnd();
		case 'number':
		case 'word':
		case 'text': {
			const text = part === 'timeout' ? durationText(value) : String(value ?? '');
			return text === defaults[part] ? '' : text;
		}
	}
};

const textOf = (entry: unknown): string =>
	typeof entry === 'object' ? JSON.stringify(entry) : String(entry);

const durationText = (value: unknown): string =>
	typeof value === 'number' ? formatDuration(value) : '';

/**
Writes the form as a plan file.

Of an opened file only changed fields are rewritten: comments, keys without a field and environment values stay.
*/
export const writtenPlan = (composition: Composition, profiles: readonly string[]): string => {
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

/** Parses the file with YAML aliases resolved, since an edit must not change other parts. */
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

/**
Keeps the ids of a file's agents after one was removed, and removes that one from `after`.

Agents without an id are numbered in order, so a removal would rename the others.
*/
const keepIds = (
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

type SubtaskChange = {
	readonly before: SubtaskForm | undefined;
	readonly now: SubtaskForm;
	readonly profiles: readonly string[];
};

const writeSubtask = (document: Document, node: YAMLMap, change: SubtaskChange): void => {
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

/** Writes an agent: a new command keeps the environment; a profile has its own. */
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

/** Writes a value into a document, with lists on one line if possible; removes it if it is empty. An unchanged value is not rewritten. */
const writePart = (
	document: Document,
	map: YAMLMap,
	path: readonly [string, ...string[]],
	hasChanged: boolean,
	value: PartValue,
): void => {
	if (!hasChanged) {
		return;
	}

	if (isNothing(value)) {
		if (map.hasIn(path)) {
			map.deleteIn(path);
		}

		return;
	}

	const flow = !(Array.isArray(value) && value.some(isOfSeveralLines));
	map.setIn(path, typeof value === 'object' ? document.createNode(value, {flow}) : value);
};

const isNothing = (value: PartValue): boolean =>
	typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

const isOfSeveralLines = (entry: unknown): boolean =>
	typeof entry === 'string' && entry.includes('\n');
