import type {ListedConversation} from '../../events/listed-conversation.ts';
import {gitLocationOf, resolveCommit} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {Failure} from '../../lib/failure.ts';
import {findContainment} from '../../lib/process/containment.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {defined} from '../../lib/values.ts';
import {filesNamedIn} from '../../rules/plan/check.ts';
import {type AgentProfile, loadOf} from '../../rules/plan/fields.ts';
import {parsePlan} from '../../rules/plan/parse.ts';
import {findProfile} from '../../rules/plan/profile.ts';
import {checkProposal, completeProposal} from '../../rules/plan/proposal.ts';
import {type Config, sandboxSettings} from '../config/config.ts';
import type {Here} from '../here.ts';
import {redirectConsole} from '../output.ts';
import {requirePerson} from '../reach-supervisor.ts';
import {guessCheck, lookUpPaths, missingProgram} from './read-plan.ts';

export type ProposeOptions = {
	readonly task: string;
	/** Name of the planning agent; by default the config's planner. */
	readonly planner?: string;
	readonly limitMs: number;
	readonly signal: AbortSignal;
	/** Called with the transcript file of a turn, and the number of that turn from 1. */
	readonly onTurn: (transcript: string, number: number) => void;
	/** Called with the planner's actions besides its words. */
	readonly onAction: (text: string) => void;
	/** Called with the problems that are sent back to it. */
	readonly onCorrection: (problems: readonly string[]) => void;
};

/**
Has a planner propose a plan for this repository's commit, and returns the plan file's text.

The planner and its modules are loaded only here.
*/
export const propose = async (
	here: Here,
	config: Config,
	{task, planner = config.planner, onAction, ...options}: ProposeOptions,
): Promise<string> => {
	requirePerson(here, 'starting');
	redirectConsole(() => {});
	const {repository} = here;
	const agent = requirePlanner(config, planner, repository.root);
	const beside = await besideSession(here, config);
	const {commit} = beside;
	const files = [...(await entriesOf(gitLocationOf(repository), commit)).keys()];
	const profiles = ready(config, planner, repository.root);
	const check = (text: string) => problemsOf(here, config, {text, files});
	const projectCheck = await guessCheck(repository.root);
	const {proposePlan} = await import('../../supervisor/propose-plan.ts');
	const text = await proposePlan({
		...options,
		...beside,
		task,
		agent,
		profiles,
		check,
		...defined({projectCheck}),
		onDetail: detail => {
			if (detail.kind === 'tool') {
				onAction(detail.title);
			}
		},
	});
	return completeProposal(text, {task, agent: planner});
};

/**
Lists the person's conversations in this repository with an agent of the config, if it lists them.

@throws `Failure` with the cause if it doesn't.
*/
export const conversationsWith = async (
	here: Here,
	config: Config,
	name: string,
	signal?: AbortSignal,
): Promise<readonly ListedConversation[]> => {
	requirePerson(here, 'starting');
	const agent = requirePlanner(config, name, here.repository.root);
	const {conversationsOf} = await import('../../supervisor/propose-plan.ts');
	return conversationsOf({...(await besideSession(here, config)), agent, ...defined({signal})});
};

/** Returns the options for an agent's process outside a session. */
const besideSession = async ({repository, folder}: Here, {allow, limits, sandbox}: Config) => {
	const commit = await resolveCommit(repository, 'HEAD');
	if (commit === undefined) {
		throw new Failure('refused', 'There is no commit yet to plan on.', {
			hint: 'commit something first',
		});
	}

	return {
		repository,
		folder,
		commit,
		containment: await findContainment(process.env.DELEGATE_TUI_PROCESSES),
		allow,
		load: loadOf(limits),
		sandbox: sandboxSettings(sandbox),
	};
};

const requirePlanner = (config: Config, planner: string, root: string): AgentProfile => {
	const choice = findProfile(planner, config.agents, config.unreadRegistry);
	if ('why' in choice) {
		const {message, hint} = choice.why;
		throw new Failure('usage', message, defined({hint}));
	}

	const missing = missingProgram(choice.found, root);
	if (missing !== undefined) {
		throw new Failure('missing', `The planner ${planner} can’t be started: ${missing.why}.`, {
			hint: `${missing.hint}; or name another planner, with "planner" in the config or with --agent`,
		});
	}

	return choice.found;
};

/** Returns the names of the agents that can be started here, the planner first. */
const ready = ({agents}: Config, planner: string, root: string): readonly string[] => [
	planner,
	...Object.entries(agents)
		.filter(([name, agent]) => name !== planner && missingProgram(agent, root) === undefined)
		.map(([name]) => name),
];

const problemsOf = async (
	{repository}: Here,
	{agents, limits}: Config,
	{text, files}: {readonly text: string; readonly files: readonly string[]},
): Promise<readonly Problem[]> => {
	const options = {file: 'plan', profiles: agents, timeoutMs: limits.timeout};
	const {plan} = parsePlan(text, options);
	return checkProposal(text, {
		...options,
		files,
		filesLimit: limits.files,
		...(await lookUpPaths(repository, plan === undefined ? [] : filesNamedIn(plan))),
	});
};
