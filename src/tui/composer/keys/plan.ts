import {counted} from '../../../lib/text/counted.ts';
import {draftOf} from '../../model/draft.ts';
import {askForMissing} from '../model/ask-for-missing.ts';
import {type Composition, fieldsOf} from '../model/composition.ts';
import {ask, carryOut, fieldAt, goTo, isUnsaved, whyNotRun} from '../model/moves.ts';
import {type ComposerAction, type Context, type Outcome, only, type View} from '../model/view.ts';

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
