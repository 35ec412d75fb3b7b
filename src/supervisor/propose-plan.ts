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
import type {SandboxSettings} from '../events/event.ts';
import type {ListedConversation} from '../events/listed-conversation.ts';
import type {Load} from '../events/load.ts';
import type {Allowance} from '../events/plan.ts';
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
	/** The commit that is planned on. */
	readonly commit: string;
	readonly agent: AgentProfile;
	readonly containment: Containment;
	readonly sandbox?: SandboxSettings;
	readonly allow?: Allowance;
	/** What it may use of the machine at most. */
	readonly load?: Load;
	readonly task: string;
	/** Names of the agents that subtasks can be given to. */
	readonly profiles: readonly string[];
	/** The command that most likely checks the project, where one is known. */
	readonly projectCheck?: string;
	/** Lists what must be mended in a plan. */
	readonly check: (text: string) => Promise<readonly Problem[]>;
	/** Called when a plan goes back to the planner. */
	readonly onCorrection: (problems: readonly string[]) => void;
	/** Called with the file that its words of a turn go to, and the number of that turn from 1. */
	readonly onTurn: (transcript: string, number: number) => void;
	readonly onDetail: OnDetail;
	/** How long all of it may take, in milliseconds. */
	readonly limitMs: number;
	/** Aborted when nobody wants the plan any more. */
	readonly signal: AbortSignal;
};

/** What a process beside a session is started with. */
type Beside = Pick<
	Proposing,
	'folder' | 'repository' | 'commit' | 'agent' | 'containment' | 'sandbox' | 'allow' | 'load'
>;

/** What a planner's process is started with, once it has its folder. */
type Started = Omit<Beside, 'commit'> & Pick<Proposing, 'onDetail'> & Place;

/** Where a planner works, and what keeps it within limits there. */
type Place = {
	readonly agentFolder: AgentFolder;
	readonly gates: Gates;
	/** Limits of the processes that were started there, which are released with it. */
	readonly limits: Limited[];
};

/** A planner that has its folder. */
type Planner = Proposing & Started;

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
Lists the conversations that a person began with an agent in their checkout, by a process that is held together like a planner.

@throws `Failure` when the agent can't be started, or lists none over the protocol
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
		...guideOf(agent),
	});

/** Returns the guide file to name in the prompt; the planner finds out whether it exists. */
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
Does something with a hub and a worktree for a planner, as agents have them; they are gone afterwards, with all that was written there.

Those of a process that was killed go with the next one's.
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

/** A planner that was started, which is told one prompt after another. */
type PlannerTurns = {
	/**
	Returns all that it says to a prompt.

	@throws `Failure` when its turn came to nothing, or when the signal was aborted
	*/
	readonly say: (prompt: Prompt) => Promise<string>;
	/** Ends it, with all that it started. */
	readonly end: () => Promise<void>;
};

/** A planner may read and nothing else. */
const scope = {allowed: [], forbidden: []};

/** Makes a planner ready; it is started with its first prompt, as an agent of a session is: held together, in a worktree of its own. */
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
	// All programs of the person keep files in their TMPDIR.
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
	// The words that agents of a session are to keep in mind are about signals, which nobody answers here.
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

/** Rules on a request; those that need a person are refused, since no one is asked while planning. */
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
Returns what a planner said in a turn that came to its end.

@throws `Failure` of kind `refused` with the cause when the turn failed, or nothing was said in it
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
