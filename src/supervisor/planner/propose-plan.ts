import {correctionPrompt, plannerPrompt} from '../../agents/planner-prompt.ts';
import {profileOf} from '../../agents/profiles/profiles.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import type {Problem} from '../../lib/text/yaml-document.ts';
import {planFormat} from '../../rules/plan/proposal/plan-format.ts';
import {planInWords} from '../../rules/plan/proposal/plan-in-words.ts';
import {inPlannerFolder, type PlannerFolderParts} from './planner-folder.ts';
import {type PlannerTurns, type PlannerTurnsParts, plannerTurns} from './planner-turns.ts';

export type Proposing = PlannerFolderParts &
	Pick<PlannerTurnsParts, 'agent' | 'containment' | 'onTurn' | 'onDetail'> & {
		readonly task: string;
		/** Names of the agents that subtasks can be given to. */
		readonly profiles: readonly string[];
		/** The command that most likely checks the project, where one is known. */
		readonly projectCheck?: string;
		/** Lists what must be mended in a plan. */
		readonly check: (text: string) => Promise<readonly Problem[]>;
		/** Called when a plan goes back to the planner. */
		readonly onCorrection: (problems: readonly string[]) => void;
		/** How long all of it may take, in milliseconds. */
		readonly limitMs: number;
		/** Aborted when nobody wants the plan any more. */
		readonly signal: AbortSignal;
	};

/** How often a plan that can't be used goes back. */
const maximumCorrections = 2;

/**
Lets an agent that may only read look at the repository and propose a plan, and returns the plan's text as the agent wrote it.

It works in a worktree of its own, which is gone afterwards, held together like an agent of a session. What is wrong with its plan goes back to it twice.

@throws `Failure` when the agent can't be started or fails, when time is up, when `signal` is aborted, or when its plan stays unusable
*/
export const proposePlan = async (parts: Proposing): Promise<string> => {
	const timeout = AbortSignal.timeout(parts.limitMs);
	const signal = AbortSignal.any([parts.signal, timeout]);
	try {
		return await inPlannerFolder(parts, async agentFolder => {
			const turns = plannerTurns({...parts, agentFolder, signal});
			try {
				return await converse(parts, agentFolder.tree, turns);
			} finally {
				await turns.end();
			}
		});
	} catch (error) {
		if (parts.signal.aborted) {
			throw new Failure('refused', 'The planner was stopped; nothing was written.', {cause: error});
		}

		throw timeout.aborted ? outOfTime(parts.limitMs, error) : error;
	}
};

const converse = async (
	parts: Proposing,
	directory: string,
	{say}: PlannerTurns,
): Promise<string> => {
	const first = firstPrompt(parts, directory);
	let prompt = {words: first, whole: first};
	for (let corrections = 0; ; corrections++) {
		const text = planInWords(await say(prompt));
		const problems = text === undefined ? [] : await parts.check(text);
		if (text !== undefined && problems.length === 0) {
			return text;
		}

		const lines = text === undefined ? [noPlan] : problems.map(lineOf);
		if (corrections === maximumCorrections) {
			throw unusable(lines, text);
		}

		parts.onCorrection(lines);
		prompt = {
			words: correctionPrompt(undefined, lines),
			whole: `${first}\n\n${correctionPrompt(text, lines)}`,
		};
	}
};

const firstPrompt = ({task, profiles, projectCheck, agent}: Proposing, directory: string): string =>
	plannerPrompt({
		task,
		directory,
		format: planFormat(),
		profiles,
		...defined({check: projectCheck}),
		...guideOf(agent),
	});

/** Which of these files there is the planner sees for itself. */
const guideOf = (agent: Proposing['agent']): {readonly guide?: string} => {
	const guides = profileOf(agent)?.guides ?? [];
	return guides.length === 0 ? {} : {guide: guides.join(' or ')};
};

const noPlan = 'there is no plan in it: no fenced block that begins with ```yaml';

const lineOf = ({line, column, message, hint}: Problem): string =>
	`${line}:${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`;

const unusable = (lines: readonly string[], text: string | undefined): Failure =>
	new Failure(
		'refused',
		[
			`The planner’s plan can’t be used, also after ${maximumCorrections} corrections:`,
			...lines,
			...(text === undefined ? [] : ['Its last plan:', text.trimEnd()]),
		].join('\n'),
		{
			hint: 'say the task more exactly, name another planner, or write the plan yourself',
		},
	);

const outOfTime = (limitMs: number, cause: unknown): Failure =>
	new Failure('refused', `The planner had proposed no plan after ${formatDuration(limitMs)}.`, {
		hint: 'give it more with --timeout, or name another planner',
		cause,
	});
