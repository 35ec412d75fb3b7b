import {counted} from '../../lib/text/words.ts';
import {keyOf} from '../action.ts';
import {draftOf} from '../model/draft.ts';
import {firstAgent} from './desk.ts';
import {
	type Composition,
	fieldsOf,
	isDivided,
	maximumSubtasks,
	textOf,
	withSubtask,
} from './model/composition.ts';
import type {Field} from './model/field.ts';
import {ask, carryOut, fieldAt, goTo, isUnsaved, whyNotRun, writeHere} from './model/moves.ts';
import {
	type ComposerAction,
	type Context,
	type Outcome,
	only,
	type View,
	withNotice,
} from './model/view.ts';
import {labels} from './plan/field-words.ts';
import {missingFields} from './plan/judgement.ts';

/** The name that a plan file is given unless another one is written. */
const usualFile = 'plan.yaml';

/** Of a session under way only one part is written. */
const isWhole = ({desk}: Context): boolean => desk.purpose !== 'add';

/** What concerns the plan as a whole. */
export const planActions: readonly ComposerAction[] = [
	{
		name: 'run-plan',
		// No letter: who writes on in the belief that they are in a field must not start agents.
		keys: ['ctrl+r'],
		label: 'run',
		help: 'start the session; this approves the plan, warnings included',
		where: ['form'],
		when: ({desk}) => desk.purpose === 'start',
		whyNot: context =>
			context.desk.purpose === 'start'
				? whyNotRun(context)
				: context.desk.purpose === 'edit'
					? 'Its session waits for this plan already.'
					: 'The session is under way.',
		run: context => askForMissing(context) ?? run(context),
	},
	{
		name: 'hand-in-plan',
		keys: ['ctrl+r'],
		label: 'hand in',
		help: 'take this plan in place of the one that waits for your approval',
		where: ['form'],
		when: ({desk}) => desk.purpose === 'edit',
		whyNot: context =>
			context.desk.purpose === 'edit' ? whyNotRun(context) : 'No plan waits for your approval.',
		run: context => askForMissing(context) ?? run(context),
	},
	{
		name: 'hand-in-subtask',
		keys: ['ctrl+r'],
		label: 'add it',
		help: 'let this agent join the session',
		where: ['form'],
		when: ({desk}) => desk.purpose === 'add',
		whyNot: context =>
			context.desk.purpose === 'add' ? whyNotRun(context) : 'No session is under way.',
		run: context => askForMissing(context) ?? run(context),
	},
	{
		name: 'all-fields',
		keys: ['a'],
		help: 'show, or hide again, the fields that few plans need',
		where: ['form'],
		run: ({view}) => only(withAllFields(view)),
	},
	{
		name: 'save-plan',
		keys: ['s'],
		label: 'save',
		help: 'save it as a plan file, also an unfinished one',
		where: ['form'],
		when: isWhole,
		run: ({view}) => askPath(view, 'save'),
	},
	{
		name: 'open-plan',
		keys: ['o'],
		label: 'open',
		help: 'open a plan file',
		where: ['form'],
		when: isWhole,
		run: ({view}) => askPath(view, 'open'),
	},
	{
		name: 'back',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back to the plan',
		where: ['help'],
		run: ({view}) => only({...view, place: 'form'}),
	},
	{
		name: 'keys',
		keys: ['?'],
		label: 'keys',
		help: 'list the keys that work here',
		where: ['form'],
		run: ({view}) => only({...view, place: 'help', scroll: 0}),
	},
	{
		name: 'leave',
		keys: ['q', 'ctrl+c'],
		label: 'leave',
		help: 'leave; asks first about what is not saved',
		where: ['form', 'help', 'too small'],
		run: ({view}) =>
			isUnsaved(view)
				? ask(view, 'What you wrote is not saved. Leave all the same?', {do: 'leave'})
				: carryOut(view, {do: 'leave'}),
	},
	{
		name: 'leave-at-once',
		keys: ['ctrl+c'],
		help: 'leave at once',
		where: ['confirming', 'waiting'],
		run: ({view}) => carryOut(view, {do: 'leave'}),
	},
];

/** Stays at the field that the person is at, if it is still shown. */
const withAllFields = (view: View): View => {
	const {all, ...composition} = view.composition;
	const field = fieldAt(view);
	const toggled: Composition = all === true ? composition : {...composition, all: true};
	const cursor = fieldsOf(toggled).findIndex(
		({part, agent}) => part === field.part && agent === field.agent,
	);
	return goTo({...view, composition: toggled}, cursor);
};

const askPath = (view: View, wants: 'save' | 'open'): Outcome =>
	only({
		...view,
		dialog: {kind: 'path', wants, draft: draftOf(view.file?.path ?? usualFile)},
	});

type Asked = {
	readonly agents: string;
	readonly warnings: number;
	readonly instead: string | undefined;
};

/** A plan that is handed in with warnings waits for its own approval; one without starts. */
const questions = {
	start: ({agents, warnings}: Asked): string =>
		`Start ${agents} on this plan${warnings === 0 ? '' : `, with ${counted(warnings, 'warning')}`}? This approves it.`,
	edit: ({agents, warnings}: Asked): string =>
		warnings === 0
			? `Take this plan and start ${agents}? Nothing is doubtful, so this approves it.`
			: `Take this plan? It waits for your approval then, with ${counted(warnings, 'warning')}.`,
	add: ({warnings, instead}: Asked): string => {
		const doubts = warnings === 0 ? '' : `, with ${counted(warnings, 'warning')}`;
		return instead === undefined
			? `Let this agent join the session${doubts}? It starts once a place is free.`
			: `Drop the work of ${instead}, and let this agent take its place${doubts}?`;
	},
} as const;

const run = ({desk, view, judgement}: Context): Outcome => {
	const warnings = judgement.findings.length;
	const agents = counted(view.composition.subtasks.length, 'agent');
	return ask(view, questions[desk.purpose]({agents, warnings, instead: desk.instead}), {
		do: 'run',
		text: judgement.text,
		file: view.file?.path ?? usualFile,
	});
};

/** How a planner is asked for a plan, and stopped. */
export const plannerActions: readonly ComposerAction[] = [
	{
		name: 'propose-plan',
		keys: ['P'],
		label: 'propose',
		help: 'let a planner agent look at the repository and propose a plan for the task',
		where: ['form'],
		when: ({desk}) => desk.purpose !== 'add',
		whyNot: ({view}) =>
			view.composition.task.trim() === ''
				? 'Write the task first; it is what is planned.'
				: undefined,
		run: context => propose(context),
	},
	{
		name: 'stop-proposing',
		keys: ['esc', 'ctrl+c'],
		label: 'stop the planner',
		help: 'stop the planner; what you wrote stays',
		where: ['proposing'],
		run: ({view}) => carryOut(view, {do: 'stop-proposing'}),
	},
];

/** What stands in the form besides the task gives way to what is proposed, so that is asked about first. */
const propose = ({desk, view}: Context): Outcome => {
	const {task} = view.composition;
	const effect = {do: 'propose', task} as const;
	return isDivided(view.composition)
		? ask(view, `Let ${desk.planner} propose a plan in place of what stands here?`, effect)
		: carryOut(view, effect);
};

/** How agents come into a plan, and out of it. */
export const subtaskActions: readonly ComposerAction[] = [
	{
		name: 'add-subtask',
		keys: ['+'],
		label: 'add',
		help: 'add a subtask for one more agent',
		where: ['form'],
		when: ({desk}) => desk.purpose !== 'add',
		whyNot: ({view}) =>
			view.composition.subtasks.length < maximumSubtasks
				? undefined
				: `At most ${maximumSubtasks} agents work at once, so a plan is composed for no more.`,
		run: ({desk, view}) => {
			const composition = withSubtask(view.composition, firstAgent(desk));
			const first = fieldsOf(view.composition).length;
			return only(writeHere(goTo({...view, composition}, first)));
		},
	},
	{
		name: 'remove-subtask',
		keys: ['-'],
		label: 'remove',
		help: 'take the subtask that you are at out of the plan',
		where: ['form'],
		when: ({desk, view}) => desk.purpose !== 'add' && fieldAt(view).agent !== undefined,
		whyNot: ({view}) =>
			view.composition.subtasks.length === 1 ? 'A plan has at least one agent.' : undefined,
		run: context => removeSubtask(context),
	},
];

/** What somebody has written is not taken out with one key. */
const removeSubtask = ({desk, view}: Context): Outcome => {
	const {agent} = fieldAt(view);
	const subtask = agent === undefined ? undefined : view.composition.subtasks[agent];
	if (agent === undefined || subtask === undefined) {
		return only(view);
	}

	const isWritten = fieldsOf(view.composition)
		.filter(field => field.agent === agent)
		.some(field => !['', firstAgent(desk)].includes(textOf(view.composition, field)));
	const removal = {do: 'remove', agent} as const;
	return isWritten
		? ask(view, `Take ${subtask.id}, with what is written in it, out of the plan?`, removal)
		: carryOut(view, removal);
};

/** Goes to what is missed, with the reason, before anything can be started; to each field once, and nowhere when all were asked for. */
const askForMissing = (context: Context): Outcome | undefined => {
	const {view} = context;
	const missing = missingFields(view.composition).find(
		({field}) => !view.asked.includes(nameOf(field)),
	);
	if (missing === undefined) {
		return undefined;
	}

	const {field, why} = missing;
	const asked = [...view.asked, nameOf(field)];
	const cursor = fieldsOf(view.composition).findIndex(other => nameOf(other) === nameOf(field));
	const again = keyOf(context, runNames[context.desk.purpose]);
	return only(
		withNotice(
			goTo({...view, asked}, cursor),
			'warn',
			`Nothing stands in "${labels[field.part]}", so ${why}. Enter writes it; ${again} goes on without.`,
		),
	);
};

/** What the plan is handed over by. */
const runNames = {start: 'run-plan', edit: 'hand-in-plan', add: 'hand-in-subtask'} as const;

/** Names a field, also when others come before it. */
const nameOf = ({part, agent}: Field): string => (agent === undefined ? part : `${part} ${agent}`);
