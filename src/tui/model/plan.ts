import type {ListedConversation} from '../../events/listed-conversation.ts';
import {enumerated} from '../../lib/text/words.ts';
import {
	beginComposition,
	type Composition,
	fieldsOf,
	isDivided,
	isSameForm,
	maximumSubtasks,
	withoutSubtask,
	withText,
	writtenIn,
} from '../plan/composition.ts';
import {type Desk, firstAgent, type KnownFile, type Progress} from '../plan/desk.ts';
import type {Field} from '../plan/fields.ts';
import {judgementOf} from '../plan/judgement.ts';
import {openPlan} from '../plan/plan-file.ts';
import {type Draft, draftOf} from './draft.ts';
import {
	confirming,
	type FormChange,
	inPalette,
	type KeyEffect,
	type Outcome,
	openPlace,
	type PlanPlace,
	type View,
	withNotice,
} from './view.ts';

export type PlanView = View & {readonly place: PlanPlace};

export const isAtPlan = (view: View): view is PlanView => view.place.at === 'plan';

/** Returns the view in the form of a plan, also if its help is open. */
export const formIn = (view: View): PlanView | undefined => {
	const place = view.place.at === 'help' ? view.place.back : view.place;
	return place.at === 'plan' ? {...view, place} : undefined;
};

/** Opens the form of a plan, in the first required field that is empty. */
export const toForm = (view: View, desk: Desk, composition: Composition): View => {
	const empty = fieldsOf(composition).findIndex(
		field =>
			(field.part === 'task' || field.part === 'subtask') && writtenIn(composition, field) === '',
	);
	const place: PlanPlace = {
		...{at: 'plan', desk, composition, judged: composition, kept: composition},
		...{file: undefined, cursor: Math.max(0, empty), asked: [], back: view.place},
	};
	return writeHere({...view, place});
};

/** Changes something in the form. */
export const inForm = (view: PlanView, part: Partial<PlanPlace>): PlanView => ({
	...view,
	place: {...view.place, ...part},
});

/** Returns the current field. */
export const fieldAt = ({composition, cursor}: PlanPlace): Field =>
	fieldsOf(composition)[cursor] ??
	(composition.joining === undefined
		? {part: 'task'}
		: {part: 'subtask', agent: composition.joining});

/** Goes to a field, within the first and the last. */
export const goTo = (view: PlanView, cursor: number): PlanView => {
	const last = fieldsOf(view.place.composition).length - 1;
	return {...inForm(view, {cursor: Math.min(Math.max(0, cursor), last)}), dialog: {kind: 'none'}};
};

/** Opens the current field for writing. */
export const writeHere = (view: PlanView): PlanView => ({
	...view,
	dialog: {kind: 'field', draft: draftOf(writtenIn(view.place.composition, fieldAt(view.place)))},
});

/** Replaces the written text; a field's text is in the plan at once, and an up or down key that leads out of it goes to the next field. */
export const withDraft = (view: View, draft: Draft, key = ''): View => {
	const {dialog} = view;
	if (!('draft' in dialog)) {
		return view;
	}

	if (dialog.kind !== 'field' || !isAtPlan(view)) {
		return {
			...view,
			dialog: {...dialog, draft, ...(dialog.kind === 'palette' ? {chosen: undefined} : {})},
		};
	}

	const {composition, cursor} = view.place;
	if ((key === 'up' || key === 'down') && draft.at === dialog.draft.at) {
		return writeHere(goTo(view, cursor + (key === 'up' ? -1 : 1)));
	}

	const field = fieldAt(view.place);
	const written = {...view, dialog: {...dialog, draft}};
	return draft.text === writtenIn(composition, field)
		? written
		: inForm(written, {composition: withText(composition, field, draft.text)});
};

/** Checks the current plan, unless a field is being written. */
export const judged = (view: View): View =>
	isAtPlan(view) && view.dialog.kind !== 'field' && view.place.judged !== view.place.composition
		? inForm(view, {judged: view.place.composition})
		: view;

export const isUnsaved = ({composition, kept}: PlanPlace): boolean =>
	!isSameForm(composition, kept);

/** Returns the reason why a plan can't be handed in, if so. */
export const whyNotHandIn = ({desk, composition}: PlanPlace): string | undefined => {
	const [first, ...more] = judgementOf(composition, desk).findings.filter(
		({level}) => level !== 'warning',
	);
	return first === undefined
		? undefined
		: `It can’t be run yet: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
};

/** Start of a task that is not divided yet: the whole of it by one agent, or by several as rivals. */
type Way = 'one-agent' | 'same-to-several';

/** Returns whether the form starts a session with a task that is not divided yet. */
export const isUndivided = ({desk, composition}: PlanPlace): boolean =>
	desk.purpose === 'start' && !isDivided(composition) && composition.task.trim() !== '';

/** Returns the agents that a way would start; none if there is no task, or no agent is ready. */
export const startedBy = (place: PlanPlace, way: Way): readonly string[] => {
	const {desk} = place;
	const {ready} = desk;
	if (!isUndivided(place) || ready?.length === 0) {
		return [];
	}

	return way === 'one-agent'
		? [firstAgent(desk)]
		: ready !== undefined && ready.length > 1
			? ready.slice(0, maximumSubtasks)
			: [];
};

/** Gives the whole task to the agents of a way, and asks whether to start; after a no the form has the subtasks. */
export const begin = (view: PlanView, way: Way): Outcome => {
	const {desk, composition} = view.place;
	const names = startedBy(view.place, way);
	const [first] = beginComposition('', names[0] ?? '').subtasks;
	const given = {
		...composition,
		subtasks: composition.subtasks.slice(0, 1).map(subtask => ({
			...(first ?? subtask),
			subtask: composition.task,
			allowed: '**',
			best_of: names.length > 1 ? names.join(' ') : '',
		})),
	};
	const written = inForm(view, {composition: given});
	const why = whyNotHandIn(written.place);
	const many = names.length > 1;
	return why === undefined
		? confirming(
				written,
				`Start ${enumerated(names)} on ${many ? 'the same task? You take the best of their works. Each' : 'the whole task? It'} may write anywhere in its own worktree; nothing is merged without you.`,
				{
					do: 'hand-in',
					text: judgementOf(given, desk).text,
					file: view.place.file?.path ?? usualFile,
				},
			)
		: withNotice(written, 'warn', why);
};

/** Default name of a plan file. */
export const usualFile = 'plan.yaml';

/** Leaves the form; asks first about unsaved changes. */
export const leaveForm = (view: PlanView): Outcome =>
	isUnsaved(view.place)
		? confirming(view, 'Your changes are not saved. Leave anyway?', {do: 'leave-form'})
		: doInForm(view, {do: 'leave-form'});

const waiting = {
	'save-plan': 'Saving …',
	'open-plan': 'Opening …',
	'hand-in': 'Handing the plan over …',
	'list-conversations': 'Asking the agent for its conversations …',
} as const;

/** Message after leaving while a plan is being handed in, which can't be cancelled. */
const handedOver =
	'You left while the plan was being handed over; it may take effect all the same.';

/** Carries out a confirmed change or effect in the form. */
export const doInForm = (before: View, meant: KeyEffect | FormChange): Outcome => {
	const view: View = {...before, dialog: {kind: 'none'}};
	switch (meant.do) {
		case 'remove-subtask':
			return isAtPlan(view) ? remove(view, meant.agent) : view;
		case 'leave-form':
			return isAtPlan(view) && view.place.desk.leftAs !== undefined
				? withNotice(
						openPlace(view, view.place.back),
						'info',
						before.dialog.kind === 'waiting' && before.dialog.for === 'hand-in'
							? handedOver
							: view.place.desk.leftAs,
					)
				: {view: {...view, dialog: {kind: 'waiting'}}, effects: [{do: 'leave'}]};
		case 'propose':
			return {view: {...view, dialog: {kind: 'proposing', progress: undefined}}, effects: [meant]};
		case 'save-plan':
		case 'open-plan':
		case 'hand-in':
		case 'list-conversations':
			return {
				view: withNotice(
					{...view, dialog: {kind: 'waiting', for: meant.do}},
					'info',
					waiting[meant.do],
				),
				effects: [meant],
			};
		default:
			return {view, effects: [meant]};
	}
};

const remove = (view: PlanView, agent: number): View => {
	const {composition} = view.place;
	const first = fieldsOf(composition).findIndex(field => field.agent === agent);
	const id = composition.subtasks[agent]?.id ?? '';
	const rest = inForm(view, {composition: withoutSubtask(composition, agent)});
	return withNotice(goTo(rest, first), 'info', `${id} is taken out.`);
};

export type PlanInput =
	/** A form was requested, and its initial content is there. */
	| {readonly kind: 'begun'; readonly desk: Desk; readonly composition: Composition}
	/** `taken`: a file exists, with other content than the last known. */
	| {readonly kind: 'saved' | 'taken' | 'opened'; readonly file: KnownFile}
	/** A planner is working. */
	| {readonly kind: 'planning'; readonly progress: Progress}
	/** A planner has proposed this plan file. */
	| {readonly kind: 'proposed'; readonly text: string}
	| {readonly kind: 'listed'; readonly conversations: readonly ListedConversation[]}
	| {readonly kind: 'handed-in'; readonly text: string}
	| {readonly kind: 'failed'; readonly text: string}
	/** No key was pressed for a moment. */
	| {readonly kind: 'paused'};

export const planned = (view: View, input: PlanInput): Outcome => {
	// A person who has left what they waited for may be writing elsewhere by now.
	const waits = view.dialog.kind === 'waiting' || view.dialog.kind === 'proposing';
	const idle: View = waits ? {...view, dialog: {kind: 'none'}} : view;
	if (input.kind === 'begun') {
		return toForm(idle, input.desk, input.composition);
	}

	if (input.kind === 'failed') {
		return withNotice(idle, 'bad', input.text);
	}

	if (!isAtPlan(view) || !isAtPlan(idle)) {
		return view;
	}

	switch (input.kind) {
		case 'paused':
			return inForm(view, {judged: view.place.composition});
		case 'saved':
			return withNotice(
				inForm(idle, {file: input.file, kept: view.place.composition}),
				'good',
				`Saved as ${input.file.path}.`,
			);
		case 'taken':
			return confirming(idle, `${input.file.path} is there already. Replace it?`, {
				do: 'save-plan',
				...input.file,
				over: 'anything',
			});
		case 'opened':
			return opened(idle, input.file.text, {
				name: input.file.path,
				told: `Opened ${input.file.path}.`,
				file: input.file,
			});
		case 'planning':
			return view.dialog.kind === 'proposing'
				? {...view, dialog: {kind: 'proposing', progress: input.progress}}
				: view;
		case 'proposed':
			return opened(idle, input.text, {
				name: 'The planner’s plan',
				told: 'The planner has proposed this. Change what you like; nothing has started.',
			});
		case 'listed':
			return input.conversations.length === 0
				? withNotice(idle, 'info', 'It lists no conversation that began in this checkout.')
				: inPalette(inForm(idle, {listed: input.conversations}), 'conversations');
		case 'handed-in':
			return view.place.desk.purpose === 'start'
				? {view, effects: [{do: 'leave'}]}
				: withNotice(openPlace(view, {at: 'board'}), 'info', input.text);
	}
};

/** Puts the text of a plan file into the form; it counts as saved if it has a file. */
const opened = (
	view: PlanView,
	text: string,
	{name, told, file}: {readonly name: string; readonly told: string; readonly file?: KnownFile},
): View => {
	const read = openPlan(text, Object.keys(view.place.desk.profiles));
	if ('why' in read) {
		const why = `${name} can’t be opened: ${read.why} Nothing here has changed.`;
		return withNotice(view, 'bad', why);
	}

	const {composition} = read;
	const part = file === undefined ? {asked: []} : {kept: composition, file};
	return withNotice(goTo(inForm(view, {composition, ...part}), 0), 'good', told);
};
