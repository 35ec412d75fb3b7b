import {type Load, type LoadKind, loadKinds} from '../../events/load.ts';
import type {
	CopyEntry,
	Plan,
	Program,
	ProgramOrigin,
	ResumeWhen,
	Subtask,
	Supervision,
	SupervisionPolicy,
} from '../../events/plan.ts';
import {namedPolicy, policyIn} from '../../events/supervision.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {plainJson} from '../../lib/text/json.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {answerTo, type PolicyAnswer, policy} from '../../rules/effects/policy.ts';
import {isYours} from '../../rules/plan/profile.ts';
import {areRivals} from '../../state/rivals/rivals.ts';
import {type Fact, factAbout} from './block.ts';

/** Returns the facts of a plan besides its agents. */
export const planFacts = (plan: Plan, target: string): readonly Fact[] => [
	...factAbout('Context', plan.context),
	...factAbout('Success', plan.success.join(' · ')),
	...factAbout('Merges into', target),
	...factAbout('Commits', plan.merge && commitsText[plan.merge]),
	...(plan.verify.length === 0
		? factAbout('Check', 'none: the merged result will not be tested', 'warn')
		: factAbout('Check', plan.verify.join(' && '))),
	...factAbout('Type check', plan.check?.join(' && ')),
	...factAbout(
		'Network',
		plan.verifyNetwork === 'host' ? 'checks use the ports of this machine' : undefined,
	),
	...factAbout(
		'Needs',
		plan.verifyNeeds?.map(port => `port ${port}`),
	),
	...factAbout('May read', plan.allow?.read, 'warn'),
	...factAbout('May write', plan.allow?.write, 'warn'),
	...factAbout('May reach', plan.allow?.sockets, 'warn'),
	...factAbout('May call', plan.allow?.hosts, 'warn'),
	...factAbout('Before', plan.setup.join(' && ')),
	...factAbout('Copies', plan.copy.map(copyText)),
	...factAbout(
		'Variables',
		Object.entries(plan.env ?? {}).map(([name, value]) => `${name}=${inShell(value)}`),
	),
	...factAbout('Supervision', supervisionText(plan.supervision)),
	...factAbout('Resumes', plan.resume && resumeText[plan.resume]),
];

const commitsText = {
	squash: 'one for all agents',
	'per-agent': 'one for each agent, in an order that can be merged; you approve the last',
} satisfies Readonly<Record<NonNullable<Plan['merge']>, string>>;

const copyText = (entry: CopyEntry): string =>
	typeof entry === 'string'
		? entry
		: `${entry.from} with ${Object.entries(entry.set)
				.map(([name, value]) => `${name}=${inShell(value)}`)
				.join(' ')}`;

/**
Returns an agent's subtask and scope, and the program that is started for it.

@param values Environment values of the plan that a person must see.
*/
export const subtaskFacts = (subtask: Subtask, {agents}: Plan, values: Values): readonly Fact[] => [
	...factAbout('Goal', subtask.goal),
	...scopeFacts(subtask),
	...factAbout(
		'Agent',
		programText(subtask, values),
		subtask.origin?.by === 'this repository' ? 'warn' : 'plain',
	),
	...factAbout(
		'Rival of',
		agents.filter(other => areRivals(subtask, other)).map(({id}) => id),
	),
	...factAbout('Mode', subtask.mode),
	...factAbout('Tools', subtask.mcpServers?.map(serverText).join(' · ')),
	...factAbout('Goes on from', subtask.from),
	...factAbout('Begins with', subtask.uncommitted && 'the uncommitted changes of your checkout'),
	...factAbout('Checks out', subtask.checkout),
	...factAbout('Pictures', subtask.images),
	...factAbout('Supervision', subtask.supervision && supervisionText(subtask.supervision)),
	...factAbout('Resumes', subtask.resume && resumeText[subtask.resume]),
	...factAbout('After', subtask.after),
	...factAbout('Reads', subtask.inputs),
	...factAbout('Measured by', subtask.metrics.join(' · ')),
	...factAbout('Time', formatDuration(subtask.timeoutMs)),
	...factAbout('Limits', subtask.limits && limitsText(subtask.limits)),
];

const limitsText = (limits: Load): string =>
	loadKinds
		.flatMap(kind => {
			const {heading, text} = loadFacts[kind];
			return limits[kind] === undefined ? [] : [`${heading}: ${text(limits[kind])}`];
		})
		.join(' · ');

/** Labels of processes' usage. */
export const loadFacts: Readonly<
	Record<LoadKind, {readonly heading: string; readonly text: (amount: number) => string}>
> = {
	memory: {heading: 'Memory', text: bytesText},
	processes: {heading: 'Processes', text: String},
	cpu: {heading: 'CPU time', text: formatDuration},
	disk: {heading: 'Disk', text: bytesText},
	output: {heading: 'Output', text: bytesText},
};

/** Returns the scope of an agent. */
export const scopeFacts = ({scope}: Subtask): readonly Fact[] => [
	...(scope.allowed.length === 0
		? factAbout('May write', 'nothing: it is read-only', 'warn')
		: factAbout('May write', scope.allowed.join('  '))),
	...factAbout('Never', scope.forbidden.join('  ')),
];

/** Fact about the documents in the checkout, which appear before any merge. */
export const documentsFact: Fact = {
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

/** Returns the cases that continue or are refused without the person; all others are asked, or always stopped. */
const supervisionText = (supervision: Supervision): string => {
	const said = policyIn(supervision);
	const settled = (answer: PolicyAnswer) =>
		(Object.keys(said) as (keyof SupervisionPolicy)[])
			.filter(kind => answerTo(kind, said) === answer)
			.map(kind => policy[kind].what)
			.join(' and ');
	const [goes, stops] = [settled('go on'), settled('stop')];
	const named = namedPolicy(said);
	return [
		typeof named === 'string' ? named : 'its own',
		goes === '' && stops === ''
			? 'you are asked about every decision'
			: [...(goes === '' ? [] : [goes]), ...(stops === '' ? [] : [`no to ${stops},`])].join('; ') +
				' unasked',
	].join(': ');
};

type Values = Readonly<Record<string, string>>;

/**
Returns the program that is started and its origin. Its command line is included, unless it is known by its name.

@param values Values of its variables to show; each in full, since its end may matter most.
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
