import {type Draft, draftOf} from '../../model/draft.ts';
import type {Action, Notice} from '../../model/view.ts';
import type {Size} from '../../terminal/full-screen.ts';
import type {Desk} from '../desk.ts';
import type {Judgement} from '../plan/judgement.ts';
import type {Composition, Form} from './composition.ts';
import {fieldsOf, textOf} from './composition.ts';

/** What a person is in the middle of; while they are, keys are for that only. */
export type Dialog =
	| {readonly kind: 'none'}
	/** Writes in the field they are at. */
	| {readonly kind: 'writing'; readonly draft: Draft}
	/** Writes the path of a file to save to or to open. */
	| {readonly kind: 'path'; readonly wants: 'save' | 'open'; readonly draft: Draft}
	/** Is asked whether they mean it. */
	| {readonly kind: 'confirming'; readonly question: string; readonly meant: Effect | Removal}
	/** Waits until something outside is done. */
	| {readonly kind: 'waiting'}
	/** Waits for a planner's plan. */
	| {readonly kind: 'proposing'; readonly progress: Progress | undefined};

/** How far a planner is. */
export type Progress = {
	readonly elapsedMs: number;
	/** What it did last, and the last lines that it said. */
	readonly lines: readonly string[];
};

/** An agent's part is taken out. */
export type Removal = {readonly do: 'remove'; readonly agent: number};

/** A plan file as it was when it was last read or written here. */
export type KnownFile = {readonly path: string; readonly text: string};

/** What happens outside the screen because of a key. */
export type Effect =
	| {
			readonly do: 'save';
			readonly path: string;
			readonly text: string;
			/** What may be replaced: the file as it was last seen, or whatever stands there. */
			readonly over: KnownFile | 'anything' | undefined;
	  }
	| {readonly do: 'open'; readonly path: string}
	| {readonly do: 'run'; readonly text: string; readonly file: string}
	/** Lets a planner propose a plan for a task. */
	| {readonly do: 'propose'; readonly task: string}
	| {readonly do: 'stop-proposing'}
	| {readonly do: 'leave'};

/** Where the person is in a plan and what they do there; changed by `update` and nothing else. */
export type View = {
	readonly size: Size;
	readonly place: 'form' | 'help';
	readonly composition: Composition;
	/** The form as it was last saved, opened or begun. */
	readonly kept: Form;
	readonly file: KnownFile | undefined;
	/** The field they are at, by its place among all. */
	readonly cursor: number;
	/** Rows that the help is scrolled down. */
	readonly scroll: number;
	readonly dialog: Dialog;
	/** Fields that the person was asked for before a run, by their names; each is asked for once. */
	readonly asked: readonly string[];
	readonly notice: Notice | undefined;
};

/** What `update` and everything it calls look at. */
export type Context = {
	readonly desk: Desk;
	readonly view: View;
	/** May be of an earlier state of the plan while somebody writes. */
	readonly judgement: Judgement;
	readonly table: readonly ComposerAction[];
};

/** What a key comes to. */
export type Outcome = {readonly view: View; readonly effects: readonly Effect[]};

/** Where an action works. */
export type Where =
	| 'form'
	| 'help'
	| 'writing'
	| 'path'
	| 'confirming'
	| 'waiting'
	| 'proposing'
	| 'too small';

export type ComposerAction = Action<Context, Outcome, Where>;

export const startView = (size: Size, composition: Composition): View => {
	const empty = fieldsOf(composition).findIndex(
		field =>
			(field.part === 'task' || field.part === 'subtask') && textOf(composition, field) === '',
	);
	const cursor = Math.max(0, empty);
	const field = fieldsOf(composition)[cursor];
	const text = field === undefined ? '' : textOf(composition, field);
	return {
		size,
		place: 'form',
		composition,
		kept: composition,
		file: undefined,
		cursor,
		scroll: 0,
		dialog: {kind: 'writing', draft: draftOf(text)},
		asked: [],
		notice: undefined,
	};
};

/** Returns an outcome without effects. */
export const only = (view: View): Outcome => ({view, effects: []});

/** Returns the view with one sentence for the person. */
export const withNotice = (view: View, tone: Notice['tone'], text: string): View => ({
	...view,
	notice: {tone, text},
});
