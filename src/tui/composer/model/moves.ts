import {draftOf} from '../../model/draft.ts';
import {type Composition, fieldsOf, isSameForm, textOf, withoutSubtask} from './composition.ts';
import type {Field} from './field.ts';
import {
	type Context,
	type Effect,
	type Outcome,
	only,
	type Removal,
	type View,
	withNotice,
} from './view.ts';

/** Returns the field that the person is at. */
export const fieldAt = ({composition, cursor}: View): Field =>
	fieldsOf(composition)[cursor] ??
	(composition.joining === undefined
		? {part: 'task'}
		: {part: 'subtask', agent: composition.joining});

/** Goes to a field, no further than there are any. */
export const goTo = (view: View, cursor: number): View => {
	const last = fieldsOf(view.composition).length - 1;
	return {...view, cursor: Math.min(Math.max(0, cursor), last), dialog: {kind: 'none'}};
};

/** Begins to write in the field that the person is at. */
export const writeHere = (view: View): View => ({
	...view,
	dialog: {kind: 'writing', draft: draftOf(textOf(view.composition, fieldAt(view)))},
});

/** Tells whether there is something that is saved nowhere. */
export const isUnsaved = ({composition, kept}: View): boolean => !isSameForm(composition, kept);

/** Asks whether the person means it. */
export const ask = (view: View, question: string, meant: Effect | Removal): Outcome =>
	only({...view, dialog: {kind: 'confirming', question, meant}});

const waiting: Readonly<Record<'save' | 'open' | 'run', string>> = {
	save: 'Saving …',
	open: 'Opening …',
	run: 'Handing the plan over …',
};

/** Does what the person means. */
export const carryOut = (view: View, meant: Effect | Removal): Outcome => {
	switch (meant.do) {
		case 'remove':
			return only(remove(view, meant.agent));
		case 'leave':
			return {view: {...view, dialog: {kind: 'waiting'}}, effects: [meant]};
		case 'propose':
			return {view: {...view, dialog: {kind: 'proposing', progress: undefined}}, effects: [meant]};
		case 'stop-proposing':
			return {view: withNotice(view, 'info', 'Stopping the planner …'), effects: [meant]};
		case 'save':
		case 'open':
		case 'run':
			return {
				view: withNotice({...view, dialog: {kind: 'waiting'}}, 'info', waiting[meant.do]),
				effects: [meant],
			};
	}
};

const remove = (view: View, agent: number): View => {
	const {composition} = view;
	const fields = fieldsOf(composition);
	const first = fields.findIndex(field => field.agent === agent);
	const id = composition.subtasks[agent]?.id ?? '';
	const rest: Composition = withoutSubtask(composition, agent);
	return withNotice(goTo({...view, composition: rest}, first), 'info', `${id} is taken out.`);
};

/** Returns why a plan can't be run as it stands, if so. */
export const whyNotRun = ({judgement}: Context): string | undefined => {
	const [first, ...more] = judgement.findings.filter(({level}) => level === 'error');
	return first === undefined
		? undefined
		: `It can’t be run yet: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
};
