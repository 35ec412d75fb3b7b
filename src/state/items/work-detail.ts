import type {Claim} from '../../events/event.ts';
import type {AcceptedBreakage, LogFile, Looked} from '../../events/kinds/merge-event.ts';
import type {TargetMove} from '../../events/target-move.ts';
import {defined} from '../../lib/defined.ts';
import type {SnapshotCheck} from '../agent/agent.ts';
import {claimsOf} from '../agent/claims/claims.ts';
import {checkOfWork} from '../agent/claims/snapshot-check.ts';
import {reviewedSnapshot} from '../agent/reviewed.ts';
import {violationsOf} from '../agent/violations.ts';
import {resultNotes, workNotes} from '../agent/work-notes.ts';
import {lookedText} from '../merge/looked-text.ts';
import type {Verified} from '../merge/merge.ts';
import {surfaceNotes} from '../merge/surface-notes.ts';
import {agentOf, lastSnapshot} from '../select.ts';
import type {State} from '../state.ts';
import type {ItemContext} from './kind.ts';

/** What git says of an agent's work, beside what the agent says. */
export type WorkDetail = Notes & {
	readonly files: number;
	/** Paths outside its scope that it changed in any of its turns; none of that is in its work. */
	readonly outside: readonly string[];
	/** What it asked to do outside its scope and was refused. */
	readonly blocked: readonly string[];
	readonly claims: readonly Claim[];
	/** What the plan's checks said of exactly this work, if they were run on it. */
	readonly tests_run: SnapshotCheck | null;
	/** Since which snapshot its work is new to whoever last let it go on; null where all of it is. */
	readonly reviewed: {readonly snapshot: number; readonly commit: string} | null;
	/** The commits between which its work lies. */
	readonly from: string;
	readonly to: string;
};

/** What git and the check say of a result. */
export type ResultDetail = Notes & {
	readonly agents: readonly string[];
	readonly files: number;
	/** What its agents changed outside their scopes on the way; none of that is in it. */
	readonly outside: readonly {readonly agent: string; readonly path: string}[];
	/** The commits between which it lies. */
	readonly from: string;
	readonly to: string;
	readonly checked: Verified['commands'];
	readonly log: LogFile | null;
	readonly moved?: TargetMove;
	/** How it was looked at for what breaks together, in a sentence. */
	readonly compared: string;
	readonly looked?: Looked;
	readonly accepted?: readonly AcceptedBreakage[];
};

/** What is worth a look, a sentence each. */
type Notes = {readonly notes?: readonly string[]};

/** Returns what git says of an agent's work; nothing before its first snapshot. */
export const workDetail = (
	state: State,
	id: string,
	{collisions}: Pick<ItemContext, 'collisions'>,
): Partial<WorkDetail> => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	if (agent === undefined || snapshot === undefined) {
		return {};
	}

	const {reverted, stuck, blocked} = violationsOf(agent);
	const since = reviewedSnapshot(agent);
	return {
		files: snapshot.files,
		outside: [...reverted, ...stuck],
		blocked,
		claims: claimsOf(agent),
		tests_run: checkOfWork(agent) ?? null,
		reviewed: since === undefined ? null : {snapshot: since.number, commit: since.work},
		from: snapshot.startingPoint.base,
		to: snapshot.work,
		...notesDetail([
			...collisions(id),
			...surfaceNotes(snapshot.surface ?? []),
			...workNotes(agent),
		]),
	};
};

/** Returns what git and the check say of the result that waits for a person; nothing where none does. */
export const resultDetail = (state: State): Partial<ResultDetail> => {
	const {merge} = state;
	return merge.phase === 'verified'
		? {
				agents: merge.built.agents,
				files: merge.built.files,
				outside: outsideOf(state, merge.built.agents),
				from: merge.built.tip,
				to: merge.built.commit,
				checked: merge.verified.commands,
				log: merge.verified.log,
				...defined({moved: merge.built.moved}),
				compared: lookedText(merge.built.looked, merge.built.accepted?.length ?? 0).text,
				looked: merge.built.looked,
				...defined({accepted: merge.built.accepted}),
				...notesDetail([...surfaceNotes(merge.built.surface ?? []), ...resultNotes(state)]),
			}
		: {};
};

const outsideOf = (state: State, agents: readonly string[]): ResultDetail['outside'] =>
	agents.flatMap(id => {
		const agent = agentOf(state, id);
		const {reverted, stuck} = agent === undefined ? {reverted: [], stuck: []} : violationsOf(agent);
		return [...reverted, ...stuck].map(path => ({agent: id, path}));
	});

const notesDetail = (notes: readonly string[]): Notes => (notes.length === 0 ? {} : {notes});
