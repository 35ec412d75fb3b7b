import type {
	Plan,
	Program,
	ProgramOrigin,
	ResumeWhen,
	Subtask,
	Supervision,
} from '../../events/plan.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {plainJson} from '../../lib/text/json.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {policy} from '../../rules/effects/policy.ts';
import {isYours} from '../../rules/plan/profile.ts';
import {areRivals} from '../../state/rivals/rivals.ts';

/** One thing to know of a plan before it is approved; what should make one look twice is `doubtful`. */
export type PlanFact = {
	readonly name: string;
	readonly text: string | undefined;
	readonly doubtful?: boolean;
};

/** Returns what a plan runs and does besides its agents. */
export const planFacts = (plan: Plan, target: string): readonly PlanFact[] => [
	{name: 'Context', text: plan.context},
	{name: 'Success', text: plan.success.join(' · ')},
	{name: 'Merges into', text: target},
	plan.verify.length === 0
		? {name: 'Check', text: 'none: the merged result will not be tested', doubtful: true}
		: {name: 'Check', text: plan.verify.join(' && ')},
	{name: 'Type check', text: plan.check?.join(' && ')},
	{name: 'Before', text: plan.setup.join(' && ')},
	{name: 'Copies', text: plan.copy.join(', ')},
	{name: 'Supervision', text: supervisionText(plan.supervision)},
	{name: 'Resumes', text: plan.resume && resumeText[plan.resume]},
];

/**
Returns what one agent is to do, where it may write, and what is started for it.

@param values The values that the plan sets in its environment, and that a person must see.
*/
export const subtaskFacts = (
	subtask: Subtask,
	{agents}: Plan,
	values: Values,
): readonly PlanFact[] => {
	const rivals = agents.filter(other => areRivals(subtask, other)).map(({id}) => id);
	return [
		{name: 'Goal', text: subtask.goal},
		...scopeFacts(subtask),
		{
			name: 'Agent',
			text: programText(subtask, values),
			doubtful: subtask.origin?.by === 'this repository',
		},
		{name: 'Rival of', text: rivals.join(', ')},
		{name: 'Mode', text: subtask.mode},
		{name: 'Tools', text: subtask.mcpServers?.map(serverText).join(' · ')},
		{name: 'Pictures', text: subtask.images?.join(', ')},
		{name: 'Supervision', text: subtask.supervision && supervisionText(subtask.supervision)},
		{name: 'Resumes', text: subtask.resume && resumeText[subtask.resume]},
		{name: 'After', text: subtask.after.join(', ')},
		{name: 'Reads', text: subtask.inputs.join(', ')},
		{name: 'Measured by', text: subtask.metrics.join(' · ')},
		{name: 'Time', text: formatDuration(subtask.timeoutMs)},
	];
};

/** Returns where an agent may write and where not. */
export const scopeFacts = ({scope}: Subtask): readonly PlanFact[] => [
	scope.allowed.length === 0
		? {name: 'May write', text: 'nothing: it is read-only', doubtful: true}
		: {name: 'May write', text: scope.allowed.join('  ')},
	{name: 'Never', text: scope.forbidden.join('  ')},
];

/** What stands in the checkout before anything is merged should surprise nobody. */
export const documentsFact: PlanFact = {
	name: 'Documents',
	text: 'delegation_registry.md and session_context.md in docs/logs, and docs/01_progress.md, are kept in your checkout; they are in no merge, and "docs: false" in the config turns them off',
};

const serverText = (server: NonNullable<Subtask['mcpServers']>[number]): string => {
	const [how, variables] =
		'url' in server
			? [server.url, Object.values(server.headers)]
			: [server.command.map(inShell).join(' '), server.env];
	const given = variables.length === 0 ? '' : `, given ${variables.map(inShell).join(', ')}`;
	return `${server.name}: ${how}${given}`;
};

const resumeText = {
	accepted: 'once you have accepted the work that it handed on',
	completed: 'as soon as the work that it handed on is complete',
} satisfies Readonly<Record<ResumeWhen, string>>;

/** Says what goes on without the person; all else is asked of them or stopped. */
const supervisionText = (level: Supervision): string => {
	const unasked = Object.values(policy).filter(row => row[level] === 'go on');
	return unasked.length === 0
		? `${level}: whatever needs a decision is asked of you`
		: `${level}: ${unasked.map(({what}) => what).join(' and ')} unasked`;
};

type Values = Readonly<Record<string, string>>;

/**
Returns which program is started and who says so. Its words stand there too, unless it is known by its name.

@param values Those of its variables, where they are to be shown; each stands there whole, since what it does may stand at its end.
*/
export const programText = (program: Program, values?: Values): string => {
	const {profile, origin} = program;
	const {command, model, trust} = program.agent;
	const name = profile === undefined ? [] : [inShell(profile)];
	const who = authorText(program);
	return [
		[
			[...name, ...who].join(', '),
			...(origin?.by === 'built in' ? [] : [command.map(inShell).join(' ')]),
		]
			.filter(part => part !== '')
			.join(': '),
		...(model === undefined ? [] : [`model ${model}`]),
		...(trust === undefined ? [] : ['loads and runs what the project keeps for it']),
		...(origin?.variables.length
			? [`sets ${origin.variables.map(name => variableText(name, origin, values)).join(', ')}`]
			: []),
	].join('; ');
};

const variableText = (name: string, origin: ProgramOrigin, values: Values | undefined): string => {
	if (values === undefined) {
		return inShell(name);
	}

	const value = values[name];
	return value !== undefined
		? `${inShell(name)}=${plainJson(value)}`
		: `${inShell(name)} (${isYours(name, origin) ? 'the value of your config' : 'its value can’t be read'})`;
};

const authorText = ({profile, origin}: Program): readonly string[] => {
	switch (origin?.by) {
		case 'built in':
			return ['built in'];
		case 'your config':
			return ['by your config'];
		case 'this repository':
			return ['by this repository’s config'];
		case 'the plan':
			return [profile === undefined ? 'by the plan' : 'changed by the plan'];
		case undefined:
			return [];
	}
};
