import type {Model, Resource} from '../../../../client/model.ts';
import {keyText, type ResourceKey} from '../../../../client/resources/resources.ts';
import {awakeAt, awakeFor} from '../../../../events/deadline.ts';
import {formatDuration, runningText} from '../../../../lib/text/duration.ts';
import {defined, omit} from '../../../../lib/values.ts';
import {agentCollisions} from '../../../../rules/collisions.ts';
import type {ListedFile} from '../../../../rules/listed-file.ts';
import {type Agent, lastSnapshot, reviewedSnapshot} from '../../../../state/agent/agent.ts';
import {violationsOf} from '../../../../state/agent/violations.ts';
import {lastResult} from '../../../../state/merge/publication.ts';
import {agentOf} from '../../../../state/select.ts';
import type {State} from '../../../../state/state.ts';
import {type Marks, surfaceMarks, withMarks} from '../../../formatting/check-look.ts';
import type {LookedSnapshots, View, WorkPart} from '../../../model/view.ts';
import {diffRows} from '../../../rows/diff-rows.ts';
import {listedFiles} from '../../../rows/listed-files.ts';
import {blank, paragraph, type Row} from '../../../rows/row.ts';

/** Returns the resource with an agent's work in its last snapshot; none before the first one. */
export const workKey = (state: State, id: string): ResourceKey | undefined => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot && {what: {of: 'work', agent: id}, state: snapshot.work};
};

const sinceKey = (agent: Agent, snapshot: number | undefined): ResourceKey | undefined =>
	snapshot === undefined
		? undefined
		: {
				what: {of: 'since', agent: agent.id, snapshot},
				state: lastSnapshot(agent)?.work ?? '',
			};

/** Returns the resource with the changes since the last review of an agent; none if that is all of its work. */
export const newWorkKey = (state: State, id: string): ResourceKey | undefined => {
	const agent = agentOf(state, id);
	return agent && sinceKey(agent, reviewedSnapshot(agent)?.number);
};

/** Returns the resource with an agent's reverted changes outside its scope; none if there are none. */
const revertedKey = (agent: Agent): ResourceKey | undefined =>
	violationsOf(agent).reverted.length === 0
		? undefined
		: {what: {of: 'reverted', agent: agent.id}, state: lastSnapshot(agent)?.tree ?? ''};

/** Returns the resource with the changes since the person last looked at an agent's work; none if they never did, or nothing is new. */
const unlookedKey = (
	agent: Agent,
	looked: LookedSnapshots | undefined,
): ResourceKey | undefined => {
	const last = lastSnapshot(agent);
	const since = last?.number === looked?.now ? looked?.before : looked?.now;
	const isSame = agent.snapshots.find(({number}) => number === since)?.work === last?.work;
	return isSame ? undefined : sinceKey(agent, since);
};

/** Returns the resource with a part of an agent's work; none if it has no such part. */
export const partKey = (
	state: State,
	id: string,
	{part, lookedAt}: Pick<View, 'part' | 'lookedAt'>,
): ResourceKey | undefined => {
	const agent = agentOf(state, id);
	switch (part) {
		case 'all':
			return workKey(state, id);
		case 'new':
			return newWorkKey(state, id);
		case 'unlooked':
			return agent && unlookedKey(agent, lookedAt[id]);
		case 'reverted':
			return agent && revertedKey(agent);
	}
};

/** Returns the shown part of an agent's work: the one that the person wants if it exists, otherwise all of it. */
export const shownPart = (
	state: State,
	id: string,
	view: Pick<View, 'part' | 'lookedAt'>,
): WorkPart => (partKey(state, id, view) === undefined ? 'all' : view.part);

export const shownWorkKey = (
	state: State,
	id: string,
	view: Pick<View, 'part' | 'lookedAt'>,
): ResourceKey | undefined => partKey(state, id, {...view, part: shownPart(state, id, view)});

/** Returns the resource as the person wants to see it: the changes of one file, or with more context lines. */
export const asWanted = (
	key: ResourceKey | undefined,
	{file, context}: Pick<View, 'file' | 'context'>,
): ResourceKey | undefined => {
	const whole = filesKey(key)?.what;
	if (key === undefined || whole?.of !== 'files') {
		return key;
	}

	const listed = {...whole.in, ...defined({context})};
	return {...key, what: file === undefined ? listed : {of: 'file', in: listed, paths: file}};
};

export const resultKey = (state: State): ResourceKey | undefined => {
	const result = lastResult(state);
	return result && {what: {of: 'result'}, state: result.built.commit};
};

/** Returns the words beside the files of an agent's work. */
export const marksOfWork = (state: State, id: string): Marks => {
	const agent = agentOf(state, id);
	return withMarks(
		surfaceMarks(agent && lastSnapshot(agent)?.surface),
		agentCollisions(state, id).map(({finding}) => [finding.path, 'collides']),
	);
};

/** Returns the words beside the files of the result to be merged. */
export const marksOfResult = (state: State): Marks =>
	surfaceMarks(lastResult(state)?.built.surface);

/** Returns a resource; if there will be none, a failed one with the reason. */
export const resourceOf = ({resources, mode}: Model, key: ResourceKey | undefined): Resource => {
	if (key === undefined) {
		return {phase: 'failed', why: 'There is no snapshot of its work yet.'};
	}

	return (
		resources[keyText(key)] ??
		(mode.kind === 'replay'
			? {phase: 'failed', why: 'This recording does not hold it.'}
			: {phase: 'loading'})
	);
};

/** Returns the resource with the list of another one's changed files; none if there is no such list. */
export const filesKey = (key: ResourceKey | undefined): ResourceKey | undefined => {
	switch (key?.what.of) {
		case 'file':
			return {what: {of: 'files', in: omit(key.what.in, 'context')}, state: key.state};
		case 'work':
		case 'since':
		case 'result':
			return {what: {of: 'files', in: omit(key.what, 'context')}, state: key.state};
		case 'parts':
			return {what: {of: 'files', in: {of: 'work', agent: key.what.agent}}, state: key.state};
		default:
			return undefined;
	}
};

/** Returns the changed files of a resource, once their list is there. */
export const filesIn = (
	model: Model,
	key: ResourceKey | undefined,
): readonly ListedFile[] | undefined => {
	const files = filesKey(key);
	return files === undefined ? undefined : listedFiles(resourceOf(model, files));
};

/** Returns the changed files of an agent's work, once their list is there. */
export const filesOfWork = (model: Model, id: string): readonly ListedFile[] | undefined =>
	filesIn(model, workKey(model.state, id));

/** Returns the working time of an agent, including the current turn. */
export const workedText = (
	{turn, workedMs}: Agent,
	{now, state}: Pick<Model, 'now' | 'state'>,
): string =>
	turn.phase === 'live'
		? runningText(workedMs + Math.max(0, awakeFor(turn.countedFrom, awakeAt(now, state.aheadMs))))
		: formatDuration(workedMs);

/** Returns a diff as rows, below notes that are needed to read it, or the reason why there is none. */
export const changeRows = (resource: Resource, columns: number): readonly Row[] => {
	if (resource.phase === 'failed') {
		return paragraph(resource.why, columns, 'warn');
	}

	const remark = resource.phase === 'ready' ? resource.remark : undefined;
	const rows = diffRows(resource, {columns}).slice();
	return remark === undefined ? rows : [...paragraph(remark, columns, 'warn'), blank, ...rows];
};
