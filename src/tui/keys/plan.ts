import {counted, enumerated} from '../../lib/text/words.ts';
import {actionKey} from '../action.ts';
import {draftOf} from '../model/draft.ts';
import {
	begin,
	doInForm,
	fieldAt,
	goTo,
	inForm,
	isAtPlan,
	isUnsaved,
	type PlanView,
	startedBy,
	usualFile,
	whyNotHandIn,
	writeHere,
} from '../model/plan.ts';
import {
	type Action,
	type Context,
	confirming,
	inPalette,
	type Outcome,
	type PlanEffect,
	type View,
	type Where,
	withNotice,
} from '../model/view.ts';
import {
	type Composition,
	fieldsOf,
	isDivided,
	maximumSubtasks,
	withSubtask,
	withText,
	writtenIn,
} from '../plan/composition.ts';
import {firstAgent, whyNoPlanner} from '../plan/desk.ts';
import {knownFields} from '../plan/fields.ts';
import {judgementOf, missingFields} from '../plan/judgement.ts';
import {isScope} from '../plan/scope-paths.ts';

type FormAction = Pick<Action, 'name' | 'keys' | 'label' | 'help'> & {
	readonly at?: readonly Where[];
	readonly when?: (view: PlanView) => boolean;
	readonly whyNot?: (view: PlanView) => string | undefined;
	readonly run: (view: PlanView, context: Context) => Outcome;
};

/** Returns an action in the form of a plan; `at` names other places than between two fields. */
const inPlan = ({at = ['plan'], when, whyNot, run, ...words}: FormAction): Action => ({
	...words,
	where: at,
	when: ({view}) => isAtPlan(view) && (when === undefined || when(view)),
	whyNot: ({view}) => (isAtPlan(view) ? whyNot?.(view) : undefined),
	run: context => (isAtPlan(context.view) ? run(context.view, context) : context.view),
});

const stop = (view: PlanView): View => ({...view, dialog: {kind: 'none'}});

/** Returns whether the form holds a whole plan, not a single joining agent. */
const isWhole = ({place}: PlanView): boolean => place.desk.purpose !== 'add';

const handingIn = {
	start: {
		name: 'run-plan',
		label: 'run',
		help: 'start the session; this approves the plan, warnings included',
	},
	edit: {
		name: 'hand-in-plan',
		label: 'hand in',
		help: 'take this plan in place of the one that waits for your approval',
	},
	add: {name: 'hand-in-subtask', label: 'add it', help: 'let this agent join the session'},
} as const;

export const planActions: readonly Action[] = [
	inPlan({
		...{name: 'write-next', keys: ['enter', 'tab'], label: 'next field'},
		help: 'write in the next field',
		at: ['field'],
		// After the last field there is no other one.
		run: view =>
			view.place.cursor + 1 < fieldsOf(view.place.composition).length
				? writeHere(goTo(view, view.place.cursor + 1))
				: stop(view),
	}),
	inPlan({
		...{name: 'write-previous', keys: ['shift+tab']},
		help: 'write in the previous field',
		at: ['field'],
		run: view => writeHere(goTo(view, view.place.cursor - 1)),
	}),
	inPlan({
		...{name: 'pick-paths', keys: ['ctrl+t'], label: 'pick'},
		help: 'pick a folder or file for this scope from the tree, by part of its name',
		at: ['field', 'plan'],
		when: ({place}) => isScope(fieldAt(place)),
		run: view => inPalette(view, 'files'),
	}),
	inPlan({
		...{name: 'pick-conversation', keys: ['ctrl+t'], label: 'pick'},
		help: 'pick the conversation from those that the agent lists; its program is started for that',
		at: ['field', 'plan'],
		when: ({place}) => fieldAt(place).part === 'from',
		run: view => listConversations(view),
	}),
	inPlan({
		...{name: 'leave-paths', keys: ['esc', 'ctrl+c'], label: 'back'},
		help: 'go back to the field, and change nothing',
		at: ['palette'],
		when: ({dialog}) => dialog.kind === 'palette' && dialog.of !== 'all',
		run: writeHere,
	}),
	inPlan({
		...{name: 'done-writing', keys: ['esc', 'ctrl+c'], label: 'done: save, run …'},
		help: 'stop writing; keys then act on the plan as a whole',
		at: ['field'],
		run: stop,
	}),
	inPlan({
		...{name: 'take-path', keys: ['enter'], label: 'do it'},
		help: 'save to, or open, the file that you named',
		at: ['path'],
		run: view => takePath(view),
	}),
	inPlan({
		...{name: 'leave-at-once', keys: ['ctrl+c']},
		help: 'leave the form at once',
		at: ['confirming', 'waiting'],
		run: view => doInForm(view, {do: 'leave-form'}),
	}),
	inPlan({
		...{name: 'write-field', keys: ['enter'], label: 'write'},
		help: 'write in this field',
		run: writeHere,
	}),
	inPlan({
		...{name: 'next-profile', keys: ['p'], label: 'profile'},
		help: 'choose the next agent of the config for this subtask',
		when: ({place}) =>
			fieldAt(place).part === 'agent' && Object.keys(place.desk.profiles).length > 0,
		run: view => nextProfile(view),
	}),
	...(['start', 'edit', 'add'] as const).map(purpose =>
		inPlan({
			...handingIn[purpose],
			// No letter, since a person who believes that they are in a field must not start agents by writing on.
			keys: ['ctrl+r'],
			when: ({place}) => place.desk.purpose === purpose,
			whyNot: ({place}) => whyNotHandIn(place),
			run: (view, context) => askForMissing(view, context) ?? handIn(view),
		}),
	),
	inPlan({
		...{name: 'one-agent', keys: ['1'], label: 'one agent'},
		help: 'give the whole task to one agent; you are asked before it starts',
		when: ({place}) => startedBy(place, 'one-agent').length > 0,
		run: view => begin(view, 'one-agent'),
	}),
	inPlan({
		...{name: 'same-to-several', keys: ['3'], label: 'best of'},
		help: 'give the whole task to each of two or three agents, then take the best work; you are asked before they start',
		when: ({place}) => startedBy(place, 'same-to-several').length > 0,
		run: view => begin(view, 'same-to-several'),
	}),
	inPlan({
		...{name: 'all-fields', keys: ['a']},
		help: 'show, or hide again, the fields that few plans need',
		run: view => withAllFields(view),
	}),
	inPlan({
		...{name: 'propose-plan', keys: ['P', '2'], label: 'propose'},
		help: 'let a planner agent look at the repository and propose a plan for the task',
		when: isWhole,
		whyNot: ({place}) =>
			place.composition.task.trim() === ''
				? 'Write the task first: the planner needs it.'
				: whyNoPlanner(place.desk),
		run: view => propose(view),
	}),
	inPlan({
		...{name: 'add-subtask', keys: ['+'], label: 'add'},
		help: 'add a subtask for one more agent',
		when: isWhole,
		whyNot: ({place}) =>
			place.composition.subtasks.length < maximumSubtasks
				? undefined
				: `At most ${maximumSubtasks} agents work at once, so a plan has no more.`,
		run: view => {
			const {desk, composition} = view.place;
			const added = inForm(view, {composition: withSubtask(composition, firstAgent(desk))});
			return writeHere(goTo(added, fieldsOf(composition).length));
		},
	}),
	inPlan({
		...{name: 'save-plan', keys: ['s'], label: 'save'},
		help: 'save it as a plan file, also an unfinished one',
		when: isWhole,
		run: view => askPath(view, 'save'),
	}),
	inPlan({
		...{name: 'open-plan', keys: ['o'], label: 'open'},
		help: 'open a plan file',
		when: isWhole,
		run: view => askPath(view, 'open'),
	}),
	inPlan({
		...{name: 'stop-proposing', keys: ['esc', 'ctrl+c'], label: 'stop the planner'},
		help: 'stop the planner; the form stays as it is',
		at: ['proposing'],
		run: view => ({
			view: withNotice(view, 'info', 'Stopping the planner …'),
			effects: [{do: 'stop-proposing'}],
		}),
	}),
	inPlan({
		...{name: 'stop-listing', keys: ['esc'], label: 'stop'},
		help: 'stop asking the agent for its conversations; the form stays as it is',
		at: ['waiting'],
		when: ({dialog}) => dialog.kind === 'waiting' && dialog.for === 'list-conversations',
		run: view => ({view, effects: [{do: 'stop-proposing'}]}),
	}),
	inPlan({
		...{name: 'remove-subtask', keys: ['-'], label: 'remove'},
		help: 'remove the current subtask from the plan',
		when: view => isWhole(view) && fieldAt(view.place).agent !== undefined,
		whyNot: ({place}) =>
			place.composition.subtasks.length === 1 ? 'A plan has at least one agent.' : undefined,
		run: view => removeSubtask(view),
	}),
	inPlan({
		...{name: 'next-field', keys: ['down', 'tab', 'j']},
		help: 'go to the next field',
		run: view => goTo(view, view.place.cursor + 1),
	}),
	inPlan({
		...{name: 'previous-field', keys: ['up', 'shift+tab', 'k']},
		help: 'go to the previous field',
		run: view => goTo(view, view.place.cursor - 1),
	}),
	inPlan({
		...{name: 'next-subtask', keys: ['pageDown', '}']},
		help: 'go to the next agent',
		run: view => toSubtask(view, 1),
	}),
	inPlan({
		...{name: 'previous-subtask', keys: ['pageUp', '{']},
		help: 'go to the previous agent',
		run: view => toSubtask(view, -1),
	}),
];

const toSubtask = (view: PlanView, by: 1 | -1): View => {
	const {composition, cursor} = view.place;
	const starts = fieldsOf(composition).flatMap(({part}, index) =>
		part === 'task' || part === 'subtask' ? [index] : [],
	);
	const here = starts.findLastIndex(index => index <= cursor);
	return goTo(view, starts[Math.max(0, here + by)] ?? cursor);
};

const nextProfile = (view: PlanView): View => {
	const {desk, composition} = view.place;
	const names = Object.keys(desk.profiles);
	const field = fieldAt(view.place);
	const at = names.indexOf(writtenIn(composition, field).trim());
	const name = names[(at + 1) % names.length] ?? '';
	return inForm(view, {composition: withText(composition, field, name)});
};

/** Shows or hides rare fields, and stays at the current field if it is still shown. */
const withAllFields = (view: PlanView): View => {
	const {all, ...composition} = view.place.composition;
	const field = fieldAt(view.place);
	const toggled: Composition = all === true ? composition : {...composition, all: true};
	const cursor = fieldsOf(toggled).findIndex(
		({part, agent}) => part === field.part && agent === field.agent,
	);
	return goTo(inForm(view, {composition: toggled}), cursor);
};

const listConversations = (view: PlanView): Outcome => {
	const {composition} = view.place;
	const {agent} = fieldAt(view.place);
	const profile = composition.subtasks[agent ?? 0]?.agent.trim() ?? '';
	return profile in view.place.desk.profiles
		? doInForm(view, {do: 'list-conversations', profile})
		: withNotice(view, 'warn', 'Only an agent that the config names can list them.');
};

const askPath = (view: PlanView, wants: 'save' | 'open'): View => ({
	...view,
	dialog: {kind: 'path', wants, draft: draftOf(view.place.file?.path ?? usualFile)},
});

/** Saves or opens the file. Opening replaces the form, so the person is asked about unsaved text. A pasted path often ends with a newline. */
const takePath = (view: PlanView): Outcome => {
	const {dialog, place} = view;
	const path = dialog.kind === 'path' ? dialog.draft.text.replaceAll('\n', '').trim() : '';
	if (dialog.kind !== 'path' || path === '') {
		return withNotice(view, 'warn', 'Write the path of a file first.');
	}

	if (dialog.wants === 'save') {
		const {text} = judgementOf(place.composition, place.desk);
		return doInForm(view, {do: 'save-plan', path, text, over: place.file});
	}

	const effect: PlanEffect = {do: 'open-plan', path};
	return isUnsaved(place)
		? confirming(view, `Your changes are not saved. Open ${path} anyway?`, effect)
		: doInForm(view, effect);
};

/** Starts the planner; asks first if the form has more than a task, since the proposal replaces it. */
const propose = (view: PlanView): Outcome => {
	const {desk, composition} = view.place;
	const effect = {do: 'propose', task: composition.task} as const;
	return isDivided(composition)
		? confirming(view, `Let ${desk.planner} propose a plan that replaces this one?`, effect)
		: doInForm(view, effect);
};

/** Removes the current subtask, after a question if it holds text. */
const removeSubtask = (view: PlanView): Outcome => {
	const {desk, composition} = view.place;
	const {agent} = fieldAt(view.place);
	const subtask = agent === undefined ? undefined : composition.subtasks[agent];
	if (agent === undefined || subtask === undefined) {
		return view;
	}

	const isWritten = fieldsOf(composition)
		.filter(field => field.agent === agent)
		.some(field => !['', firstAgent(desk)].includes(writtenIn(composition, field)));
	const removal = {do: 'remove-subtask', agent} as const;
	return isWritten
		? confirming(view, `Remove ${subtask.id} and all its fields from the plan?`, removal)
		: doInForm(view, removal);
};

/** Goes to a missing field, with the reason, before the plan is started; once for each kind of field, and nowhere once all were asked for. */
const askForMissing = (view: PlanView, context: Context): Outcome | undefined => {
	const {desk, composition, asked} = view.place;
	const [missing, ...more] = missingFields(composition).filter(
		({field}) => !asked.includes(field.part),
	);
	if (missing === undefined) {
		return undefined;
	}

	const {field, why} = missing;
	const others = more.flatMap(({field: {part, agent}}) =>
		part === field.part && agent !== undefined ? [composition.subtasks[agent]?.id ?? ''] : [],
	);
	const cursor = fieldsOf(composition).findIndex(
		({part, agent}) => part === field.part && agent === field.agent,
	);
	const again = actionKey(context, handingIn[desk.purpose].name);
	const same = others.length === 0 ? '' : ` It is the same with ${enumerated(others)}.`;
	return withNotice(
		goTo(inForm(view, {asked: [...asked, field.part]}), cursor),
		'warn',
		`"${knownFields[field.part].label}" is empty, so ${why}.${same} Enter writes it; ${again} goes on without.`,
	);
};

const handIn = (view: PlanView): Outcome => {
	const {desk, composition, file} = view.place;
	const {findings, text} = judgementOf(composition, desk);
	const agents = counted(composition.subtasks.length, 'agent');
	const question = questions[desk.purpose](agents, findings.length, desk.instead);
	return confirming(view, question, {do: 'hand-in', text, file: file?.path ?? usualFile});
};

const doubts = (warnings: number): string =>
	warnings === 0 ? '' : `, with ${counted(warnings, 'warning')}`;

/** Questions before a plan is handed in; one with warnings waits for its own approval, one without starts. */
const questions = {
	start: (agents: string, warnings: number): string =>
		`Start ${agents} on this plan${doubts(warnings)}? This approves it.`,
	edit: (agents: string, warnings: number): string =>
		warnings === 0
			? `Take this plan and start ${agents}? It has no warnings, so this approves it.`
			: `Take this plan? It waits for your approval then${doubts(warnings)}.`,
	add: (_: string, warnings: number, instead: string | undefined): string =>
		instead === undefined
			? `Let this agent join the session${doubts(warnings)}? It starts as soon as its turn comes.`
			: `Drop the work of ${instead}, and let this agent take its place${doubts(warnings)}?`,
} as const;
