import {resolve} from 'node:path';
import {type Launch, launchPrompt} from '../../agents/launch-prompt.ts';
import {builtIn} from '../../agents/profiles/profiles.ts';
import {type AgentResults, resultsBlock} from '../../agents/resume/results-block.ts';
import type {Plan, Subtask} from '../../events/plan.ts';
import {gitLocationOf} from '../../git/repository/repository.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {parsePlan} from '../../rules/plan/parse.ts';
import {globallyForbidden} from '../../state/agent/scope.ts';
import {guideAt} from '../../supervisor/perform/start/prompt-for.ts';
import {findHere} from '../here.ts';
import {readPlan} from '../plan/read-plan.ts';
import {readConfig} from '../require-config.ts';
import {planText} from './plan.ts';

/** Returns the launch prompt of the first agent in the plan that `help plan` shows. */
export const samplePrompt = (): string => {
	const {plan} = parsePlan(planText, {file: 'PLAN.yaml', profiles: builtIn});
	const [first] = plan?.agents ?? [];
	if (plan === undefined || first === undefined) {
		throw new Failure('internal', 'The example plan can’t be read as a plan.');
	}

	return prompt(plan, first, {});
};

/** Returns the launch prompts of a plan's agents, in this repository as it is now. */
export const promptsFor = async (file: string): Promise<string> => {
	const {repository} = await findHere();
	const {config} = await readConfig(repository.root);
	const {plan} = await readPlan(resolve(file), {repository, config});
	const start = plan.target ?? 'HEAD';
	const prompts = plan.agents.map(async subtask => {
		const guide = await guideAt(gitLocationOf(repository), subtask.agent, start);
		const known = defined({checkpointMs: config.limits.checkpoint, guide});
		return `${rule(subtask)}\n\n${prompt(plan, subtask, known)}`;
	});
	return (await Promise.all(prompts)).join('\n\n');
};

/** Returns a launch prompt with placeholders for values that are known only at the start. */
const prompt = (plan: Plan, subtask: Subtask, known: Known): string =>
	launchPrompt({
		plan,
		subtask,
		directory: '‹its worktree›',
		...(subtask.after.length === 0 ? {} : {results: resultsBlock(subtask.after.map(unknown))}),
		forbidden: globallyForbidden,
		...known,
	});

const unknown = (agent: string): AgentResults => ({
	agent,
	ended: '‹how it ended›',
	facts: [['Summary', '‹what it said and what was found of it›']],
	message: [],
});

type Known = Pick<Launch, 'checkpointMs' | 'guide'>;

const rule = ({id}: Subtask): string => `──── ${id} `.padEnd(80, '─');
