import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {onTestFinished} from 'vitest';
import {
	type Conversation,
	type ConversationOpening,
	openConversation,
} from '../../../src/agents/acp/conversation.ts';
import type {Request, Ruling} from '../../../src/agents/acp/permission/gate.ts';
import type {Detail} from '../../../src/agents/acp/speech/activity.ts';
import {startAcpTurn} from '../../../src/agents/acp/turn.ts';
import type {AgentTurn} from '../../../src/agents/turn.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import type {Signal} from '../../../src/signals/index.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Returns the command of an agent that is written by hand. */
export const byHand = (program: string, ...words: readonly string[]): readonly string[] => [
	process.execPath,
	join(root, 'fixtures/agents/acp', `${program}.ts`),
	...words,
];

type Open = {
	readonly conversation: Conversation;
	/** Where the agent works. */
	readonly directory: string;
	readonly complaints: () => string;
};

/** Opens a conversation that is ended with the test. */
export const open = async (
	command: readonly string[],
	options: Partial<ConversationOpening> = {},
): Promise<Open> => {
	const {directory = temporaryFolder()} = options;
	const id = randomUUID();
	const complaints = join(temporaryFolder(), 'complaints.txt');
	const conversation = await openConversation({
		command,
		directory,
		environment: {
			...{PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? ''},
			...{TMPDIR: join(directory, '.tmp'), TEST_AGENT: id},
		},
		mark: `TEST_AGENT=${id}`,
		containment: groupsContainment('for a test'),
		complaints,
		...options,
	});
	onTestFinished(async () => {
		await conversation.end();
	});
	return {conversation, directory, complaints: () => readFileSync(complaints, 'utf8')};
};

/** A turn, with all that came of it. */
export type Heard = {
	readonly turn: AgentTurn;
	readonly signals: readonly Signal[];
	readonly details: readonly Detail[];
	readonly requests: readonly Request[];
	readonly transcript: () => string;
	/** Settles with the next request that is asked. */
	readonly asked: () => Promise<Request>;
	/** Settles with the first signal. */
	readonly said: Promise<Signal>;
};

export type Rule = (request: Request) => Ruling;

type ConverseOptions = {
	/** What is asked is ruled on by it; allowed where it is absent. */
	readonly rule?: Rule;
	/** What the agent is prompted with where it begins anew. */
	readonly anew?: string;
	/** Commands of the agent's own that it is sent before the prompt. */
	readonly commands?: readonly string[];
};

/** Starts a turn. */
export const converse = (
	conversation: Conversation,
	prompt: string,
	{rule = () => ({kind: 'allow'}), anew, commands = []}: ConverseOptions = {},
): Heard => {
	const transcript = join(temporaryFolder(), 'transcript.txt');
	const signals: Signal[] = [];
	const details: Detail[] = [];
	const requests: Request[] = [];
	const said = Promise.withResolvers<Signal>();
	let tellAsked = (_: Request): void => {};
	const turn = startAcpTurn(conversation, {
		prompt,
		transcript,
		expect: [],
		commands,
		...(anew === undefined ? {} : {onBegunAnew: async () => ({prompt: anew})}),
		onSignal: signal => {
			signals.push(signal);
			said.resolve(signal);
		},
		onDetail: detail => details.push(detail),
		onRequest: async request => {
			requests.push(request);
			const ruling = rule(request);
			setImmediate(() => tellAsked(request));
			return ruling;
		},
	});
	return {
		turn,
		signals,
		details,
		requests,
		said: said.promise,
		transcript: () => readFileSync(transcript, 'utf8'),
		asked: () =>
			new Promise(resolve => {
				tellAsked = resolve;
			}),
	};
};

/** Opens a conversation, and returns its first turn when that has ended, with where the agent worked. */
export const heardOut = async (command: readonly string[], rule?: Rule) => {
	const {conversation, directory} = await open(command);
	const heard = converse(conversation, 'go', rule && {rule});
	await heard.turn.ended;
	return {...heard, directory};
};

/** Returns the values of the SUMMARY lines of a turn. */
export const summaries = ({signals}: Heard): readonly string[] =>
	signals.flatMap(signal => (signal.kind === 'summary' ? [signal.value] : []));
