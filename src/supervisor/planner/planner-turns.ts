import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {type Conversation, openConversation} from '../../agents/acp/conversation.ts';
import type {Request, Ruling} from '../../agents/acp/permission/gate.ts';
import type {OnDetail} from '../../agents/acp/speech/activity.ts';
import {startAcpTurn} from '../../agents/acp/turn.ts';
import {agentEnvironment} from '../../agents/environment.ts';
import {startTextTurn, type TextTurnOptions} from '../../agents/text-turn.ts';
import type {AgentTurn} from '../../agents/turn.ts';
import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';
import type {Containment} from '../../lib/process/containment.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {programOf} from '../../rules/plan/profile.ts';
import type {AgentFolder} from '../folder.ts';
import {launchConfig} from '../perform/start/launch-config.ts';
import type {Prompt} from '../perform/start/prompt-for.ts';
import {ruleOn} from '../requests/permission.ts';
import {requireWords} from './require-words.ts';

/** A planner that was started, which is told one prompt after another. */
export type PlannerTurns = {
	/**
	Returns all that it says to a prompt.

	@throws `Failure` when its turn came to nothing, or when the signal was aborted
	*/
	readonly say: (prompt: Prompt) => Promise<string>;
	/** Ends it, with all that it started. */
	readonly end: () => Promise<void>;
};

export type PlannerTurnsParts = {
	readonly agent: AgentProfile;
	readonly agentFolder: AgentFolder;
	readonly containment: Containment;
	/** Aborted when nobody wants its plan any more. */
	readonly signal: AbortSignal;
	/** Called with the file that its words of a turn go to, and the number of that turn from 1. */
	readonly onTurn: (transcript: string, number: number) => void;
	readonly onDetail: OnDetail;
};

/** A planner may read and nothing else. */
const scope = {allowed: [], forbidden: []};

/** Makes a planner ready; it is started with its first prompt, as an agent of a session is: held together, in a worktree of its own. */
export const plannerTurns = (parts: PlannerTurnsParts): PlannerTurns => {
	const {signal, onTurn} = parts;
	const kept: {conversation?: Conversation} = {};
	let number = 0;
	const say = async (prompt: Prompt): Promise<string> => {
		signal.throwIfAborted();
		number += 1;
		const options = await turnOptions(parts, number, prompt.whole);
		onTurn(options.transcript, number);
		const turn =
			parts.agent.protocol === 'acp'
				? await acpTurn(parts, options, number === 1 ? prompt.whole : prompt.words, kept)
				: await startTextTurn(options);
		const stop = () => void turn.stop();
		signal.addEventListener('abort', stop, {once: true});
		if (signal.aborted) {
			// It was aborted while the turn was being started.
			stop();
		}

		try {
			const outcome = await turn.ended;
			signal.throwIfAborted();
			return requireWords(outcome, await readFile(options.transcript, 'utf8'));
		} finally {
			signal.removeEventListener('abort', stop);
		}
	};

	return {
		say,
		end: async () => {
			await kept.conversation?.end();
		},
	};
};

type TurnOptions = TextTurnOptions & {readonly onDetail: OnDetail};

const turnOptions = async (
	{agent, agentFolder, containment, onDetail}: PlannerTurnsParts,
	number: number,
	prompt: string,
): Promise<TurnOptions> => {
	const {
		program: {agent: command},
		env,
	} = programOf(agent);
	const promptFile = agentFolder.prompt(number);
	const transcript = agentFolder.transcript(number);
	await mkdir(dirname(promptFile), {recursive: true});
	await mkdir(dirname(transcript), {recursive: true});
	await writeFile(promptFile, prompt);
	await writeFile(transcript, '');
	const session = `planner-${basename(agentFolder.path)}`;
	const mark = `DELEGATE_TURN=${session}/${number}`;
	const environment = agentEnvironment(process.env, {
		session,
		agent: 'PLANNER',
		promptFile,
		mark,
		profile: env,
	});
	const {quirks, ...launch} = await launchConfig(
		{subtask: {agent: command, scope}},
		agentFolder,
		environment,
	);
	// The words that agents of a session are to keep in mind are about signals, which nobody answers here.
	const plannerQuirks = quirks && omit(quirks, 'reminder');
	return {
		...launch,
		...defined({quirks: plannerQuirks}),
		prompt,
		directory: agentFolder.tree,
		mark,
		containment,
		transcript,
		keepInput: false,
		expect: [],
		onSignal: () => {},
		onDetail,
		...defined({stream: command.protocol === 'text' ? command.stream : undefined}),
	};
};

const acpTurn = async (
	{signal}: PlannerTurnsParts,
	options: TurnOptions,
	prompt: string,
	kept: {conversation?: Conversation},
): Promise<AgentTurn> => {
	kept.conversation ??= await openConversation({
		...options,
		complaints: `${options.transcript}.err`,
		signal,
	});
	return startAcpTurn(kept.conversation, {
		...options,
		prompt,
		onRequest: request => rule(options.directory, request),
	});
};

/** What would be a person's to allow is refused: nobody is asked while a plan is made. */
const rule = async (tree: string, request: Request): Promise<Ruling> => {
	const verdict = await ruleOn(scope, tree, request);
	switch (verdict.kind) {
		case 'allow':
			return verdict;
		case 'refuse':
			return {
				kind: 'refuse',
				why: verdict.refused.map(({what, why}) => `${what}: ${why}`).join('; '),
			};
		case 'ask':
			return {
				kind: 'refuse',
				why: 'a planner only reads in its directory, and nobody is asked meanwhile',
			};
	}
};
