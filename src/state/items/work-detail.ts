import {resultNotes, workNotes} from '../agent/work-notes.ts';
import {lookedText} from '../merge/looked-text.ts';
import {surfaceNotes} from '../merge/surface-notes.ts';
import {agentOf, lastSnapshot} from '../select.ts';
import type {State} from '../state.ts';

/** What git says of an agent's work, beside what the agent says. */
export const workDetail = (state: State, id: string): Readonly<Record<string, unknown>> => {
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

/** What git and the check say of the result that waits for a person. */
export const resultDetail = (state: State): Readonly<Record<string, unknown>> => {
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

const notesDetail = (notes: readonly string[]): Readonly<Record<string, unknown>> =>
	notes.length === 0 ? {} : {notes};
