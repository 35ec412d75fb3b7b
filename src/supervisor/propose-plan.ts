import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {type Conversation, openConversation} from '../agents/acp/conversation.ts';
import type {Request, Ruling} from '../agents/acp/permission/gate.ts';
import {listConversations} from '../agents/acp/read-conversation.ts';
import type {OnDetail} from '../agents/acp/speech/activity.ts';
import {startAcpTurn} from '../agents/acp/turn.ts';
import {correctionPrompt, plannerPrompt} from '../agents/planner-prompt.ts';
import {profileOf} from '../agents/profiles/profiles.ts';
import {agentEnvironment} from '../agents/spawn-agent.ts';
import {startTextTurn, type TextTurnOptions} from '../agents/text-turn.ts';
import {type AgentTurn, shortLine, type TurnOutcome} from '../agents/turn.ts';
import type {ListedConversation} from '../events/listed-conversation.ts';
import type {Load} from '../events/load.ts';
import type {Allowance} from '../events/plan.ts';
import type {SandboxSettings} from '../events/settings.ts';
import type {Repository} from '../git/repository/repository.ts';
import {createHub} from '../git/store/pin-hub.ts';
import {Failure} from '../lib/failure.ts';
import {removeFolder} from '../lib/files/folders.ts';
import {ifThere} from '../lib/files/reading.ts';
import type {Containment} from '../lib/process/containment.ts';
import {type Limited, limited} from '../lib/process/limits.ts';
import {send} from '../lib/process/processes.ts';
import {formatDuration} from '../lib/text/duration.ts';
import {withoutStop} from '../lib/text/words.ts';
import type {Problem} from '../lib/text/yaml-document.ts';
import {defined, omit} from '../lib/values.ts';
import type {AgentProfile} from '../rules/plan/fields.ts';
import {programOf} from '../rules/plan/profile.ts';
import {planFormat, planInWords} from '../rules/plan/proposal.ts';
import type {AgentFolder, RepositoryFolder} from './folder.ts';
import {limitsOf} from './machine/agent-limits.ts';
import {createGates, type Gates} from './machine/gates.ts';
import {lendersOf, protectsFiles, sandboxed} from './machine/sandbox.ts';
import {launchConfig} from './perform/start/launch-config.ts';
import type {Prompt} from './perform/start/prompt-for.ts';
import {refusalText, ruleOn} from './requests/permission.ts';

export type Proposing = {
	readonly folder: RepositoryFolder;
	readonly repository: Repository;
	/** Commit on which the plan is based. */
	readonly commit: string;
	readonly agent: AgentProfile;
	readonly containment: Containment;
	readonly sandbox?: SandboxSettings;
	readonly allow?: Allowance;
	/** Resource limits of the planner's processes. */
	readonly load?: Load;
	readonly task: string;
	/** Names of the agents to which the plan can assign subtasks. */
	readonly profiles: readonly string[];
	/** Command that most likely checks the project, if one is known. */
	readonly projectCheck?: string;
	readonly check: (text: string) => Promise<readonly Problem[]>;
	/** Called when a plan goes back to the planner. */
	readonly onCorrection: (problems: readonly string[]) => void;
	/** Called with the transcript file of each turn and the number of the turn, from 1. */
	readonly onTurn: (transcript: string, number: number) => void;
	readonly onDetail: OnDetail;
	/** Time limit for the whole proposal, in milliseconds. */
	readonly limitMs: number;
	/** Aborted when the plan is no longer needed. */
	readonly signal: AbortSignal;
};

/** Launch settings of a process outside a session. */
type Beside = Pick<
	Proposing,
	'folder' | 'repository' | 'commit' | 'agent' | 'containment' | 'sandbox' | 'allow' | 'load'
>;

/** Launch settings of a planner's process that has its folder. */
type Started = Omit<Beside, 'commit'> & Pick<Proposing, 'onDetail'> & Place;

/** Folder of a planner, with its network gates and resource limits. */
type Place = {
	readonly agentFolder: AgentFolder;
	readonly gates: Gates;
	/** Limits of the processes that were started in this folder, which are released with it. */
	readonly limits: Limited[];
};

type Planner = Proposing & Started;

/** Maximum number of times that a faulty plan goes back to the planner. */
const maximumCorrections = 2;

/**
Starts an agent that may only read, has it propose a plan for the repository, and returns the plan's text as the agent wrote it.

The agent works in a temporary worktree of its own, in the same containment as an agent of a session. A faulty plan goes back to it, at most twice.

@throws `Failure` when the agent can't be started or fails, when the time is up, when `signal` is aborted, or when no plan is valid
*/
export const proposePlan = async (parts: Proposing): Promise<string> => {
	const timeout = AbortSignal.timeout(parts.limitMs);
	const signal = AbortSignal.any([parts.signal, timeout]);
	try {
		return await inPlannerFolder(parts, async place => {
			const turns = plannerTurns({...parts, ...place, signal});
			try {
				return await converse(parts, place.agentFolder.tree, turns);
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

/**
Lists the conversations that a person had with an agent in their checkout. The process that lists them has the containment of a planner.

@throws `Failure` when the agent can't be started, or doesn't list any over the protocol
*/
export const conversationsOf = async ({
	signal,
	...parts
}: Beside & {readonly signal?: AbortSignal}): Promise<readonly ListedConversation[]> =>
	inPlannerFolder(parts, async place => {
		const options = await turnOptions({...parts, ...place, onDetail: () => {}}, 1, '');
		const complaints = `${options.transcript}.err`;
		return listConversations(
			{...options, complaints, ...defined({signal})},
			{folder: parts.repository.root, onSurvivors: () => {}},
		);
	}).catch((error: unknown) => {
		throw signal?.aborted
			? new Failure('refused', 'You stopped asking the agent for its conversations.', {
					cause: error,
				})
			: error;
	});

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
		...guideOf(agent, directory),
	});

/** Returns the guide files that the directory has, to name in the prompt. */
const guideOf = (agent: Proposing['agent'], directory: string): {readonly guide?: string} => {
	const named = profileOf(agent)?.guides ?? [];
	const guides = named.filter(name => existsSync(join(directory, name)));
	return guides.length === 0 ? {} : {guide: guides.join(' or ')};
};

const noPlan = 'there is no plan in it: no fenced block that begins with ```yaml';

const lineOf = ({line, column, message, hint}: Problem): string =>
	`${line}:${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`;

const unusable = (lines: readonly string[], text: string | undefined): Failure =>
	new Failure(
		'refused',
		[
			`The planner’s plan can’t be used, even after ${maximumCorrections} corrections:`,
			...lines,
			...(text === undefined ? [] : ['Its last plan:', text.trimEnd()]),
		].join('\n'),
		{
			hint: 'describe the task more precisely, name another planner, or write the plan yourself',
		},
	);

const outOfTime = (limitMs: number, cause: unknown): Failure =>
	new Failure('refused', `The planner had proposed no plan after ${formatDuration(limitMs)}.`, {
		hint: 'give it more time with --timeout, or name another planner',
		cause,
	});

/**
Runs `work` with a hub and a worktree for a planner, like those of agents, and removes them afterwards, with all files in them.

Those of a killed process are removed with the next planner's.
*/
const inPlannerFolder = async <T>(
	{folder, repository, commit}: Beside,
	work: (place: Place) => Promise<T>,
): Promise<T> => {
	await removeAbandoned(folder.planners);
	const agentFolder = folder.planner(`${process.pid}-${Date.now()}`);
	await mkdir(agentFolder.path, {recursive: true, mode: 0o700});
	const gates = createGates(agentFolder.path);
	const limits: Limited[] = [];
	try {
		await createHub({folder: agentFolder.path, repository, base: commit, branch: 'planner'});
		return await work({agentFolder, gates, limits});
	} finally {
		await gates.close();
		for (const {release} of limits) {
			release();
		}

		await removeFolder(agentFolder.path);
	}
};

const removeAbandoned = async (planners: string): Promise<void> => {
	const names = (await ifThere(readdir(planners))) ?? [];
	for (const name of names.filter(name => !send(Number.parseInt(name, 10), 0))) {
		await removeFolder(join(planners, name));
	}
};

/** A started planner, which takes one prompt after another. */
type PlannerTurns = {
	/**
	Sends a prompt and returns the planner's whole answer.

	@throws `Failure` when the turn failed, or when the signal was aborted
	*/
	readonly say: (prompt: Prompt) => Promise<string>;
	/** Ends the planner and all processes that it started. */
	readonly end: () => Promise<void>;
};

/** Scope of a planner: it may write no file. */
const scope = {allowed: [], forbidden: []};

/** Prepares a planner. Its process starts with the first prompt, in the containment of a session's agent and in a worktree of its own. */
const plannerTurns = (parts: Planner): PlannerTurns => {
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
			// The signal was aborted while the turn started.
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
	{
		agent,
		agentFolder,
		containment,
		sandbox,
		allow,
		repository,
		folder,
		load = {},
		onDetail,
		gates,
		limits,
	}: Started,
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
	// TMPDIR of this process holds files of the person's other programs.
	const environment = agentEnvironment(omit(process.env, 'TMPDIR'), {
		session,
		agent: 'PLANNER',
		promptFile,
		mark,
		profile: env,
	});
	const boxed = protectsFiles(containment, sandbox);
	const {quirks, ...launch} = await launchConfig(
		{subtask: {agent: command, scope}},
		agentFolder,
		environment,
		{boxed},
	);
	// Reminders for agents of a session are about signals, which are ignored while planning.
	const plannerQuirks = quirks && omit(quirks, 'reminder');
	const shutIn = await sandboxed(containment, sandbox, {
		tree: agentFolder.tree,
		lenders: await lendersOf(repository),
		checkout: repository.root,
		caches: folder.caches,
		...defined({allow}),
		commands: [launch.command],
		environment: launch.environment,
		...defined({profile: profileOf(command)}),
		openGate: hosts => gates.open('planner', {hosts}),
		more: [agentFolder.launch, dirname(promptFile)].map(path => ({path, as: 'seen'}) as const),
	});
	const kept = limited(shutIn, 'planner', limitsOf(load));
	limits.push(kept);
	return {
		...launch,
		...defined({quirks: plannerQuirks}),
		prompt,
		directory: agentFolder.tree,
		mark,
		containment: {...shutIn, ...kept.words},
		transcript,
		keepInput: false,
		expect: [],
		onSignal: () => {},
		onDetail,
		...defined({stream: command.protocol === 'text' ? command.stream : undefined}),
	};
};

const acpTurn = async (
	{signal}: Planner,
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

/** Rules on a permission request. Requests that need a person are refused, since no person is asked while planning. */
const rule = async (tree: string, request: Request): Promise<Ruling> => {
	const verdict = await ruleOn(scope, tree, request);
	switch (verdict.kind) {
		case 'allow':
			return verdict;
		case 'refuse':
			return {kind: 'refuse', why: refusalText(verdict)};
		case 'ask':
			return {
				kind: 'refuse',
				why: 'a planner only reads in its directory, and no person is asked meanwhile',
			};
	}
};

/**
Returns the planner's words in a turn that ended.

@throws `Failure` of kind `refused` with the cause when the turn failed, or when the planner said nothing
*/
const requireWords = ({end, lastError}: TurnOutcome, words: string): string => {
	const said = lastError === undefined ? '' : `: ${shortLine(lastError)}`;
	const cause = ((): string | undefined => {
		switch (end.by) {
			case 'exit':
				return end.code === 0 ? undefined : `it exited with code ${end.code}${said}`;
			case 'signal':
				return `it was killed by ${end.signal}${said}`;
			case 'error':
				return withoutStop(end.cause);
			case 'stopped':
			case 'lost':
				return `its turn was cut off${said}`;
		}
	})();
	if (cause !== undefined) {
		throw new Failure('refused', `The planner failed: ${cause}.`, {
			hint: 'fix that, or name another planner; delegate-tui doctor shows which are ready',
		});
	}

	if (words.trim() === '') {
		throw new Failure('refused', `The planner said nothing${said}.`, {
			hint: 'see whether its program answers a prompt by hand, or name another planner',
		});
	}

	return words;
};
