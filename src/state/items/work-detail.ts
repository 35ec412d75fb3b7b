import type {Claim} from '../../events/event.ts';
import type {AcceptedBreakage, LogFile, Looked} from '../../events/kinds/merge-event.ts';
import type {TargetMove} from '../../events/target-move.ts';
import {resultNotes, workNotes} from '../agent/work-notes.ts';
import {lookedText} from '../merge/looked-text.ts';
import type {Verified} from '../merge/merge.ts';
import {surfaceNotes} from '../merge/surface-notes.ts';
import {agentOf, lastSnapshot} from '../select.ts';
import type {State} from '../state.ts';

/** What git says of an agent's work, beside what the agent says. */
export type WorkDetail = Notes & {
	readonly files: number;
	readonly outside: readonly string[];
	readonly claims: readonly Claim[];
	/** The commits between which its work lies. */
	readonly from: string;
	readonly to: string;
};

/** What git and the check say of a result. */
export type ResultDetail = Notes & {
	readonly agents: readonly string[];
	readonly files: number;
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
export const workDetail = (state: State, id: string): Partial<WorkDetail> => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return agent !== undefined && snapshot !== undefined
		? {
				files: snapshot.files,
				outside: snapshot.outside,
				claims: snapshot.claims,
				from: snapshot.ground.base,
				to: snapshot.work,
				...notesDetail([...surfaceNotes(snapshot.surface ?? []), ...workNotes(agent)]),
			}
		: {};
};

/** Returns what git and the check say of the result that waits for a person; nothing where none does. */
export const resultDetail = (state: State): Partial<ResultDetail> => {
	const {merge} = state;
	return merge.phase === 'verified'
		? {
				agents: merge.built.agents,
				files: merge.built.files,
				from: merge.built.tip,
				to: merge.built.commit,
				checked: merge.verified.commands,
				log: merge.verified.log,
				...(merge.built.moved === undefined ? {} : {moved: merge.built.moved}),
				compared: lookedText(merge.built.looked, merge.built.accepted?.length ?? 0).text,
				...(merge.built.looked === undefined ? {} : {looked: merge.built.looked}),
				...(merge.built.accepted === undefined ? {} : {accepted: merge.built.accepted}),
				...notesDetail([...surfaceNotes(merge.built.surface ?? []), ...resultNotes(state)]),
			}
		: {};
};

const notesDetail = (notes: readonly string[]): Notes => (notes.length === 0 ? {} : {notes});
