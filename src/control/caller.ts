import {randomBytes} from 'node:crypto';
import {closeSync, existsSync, openSync, readlinkSync, unlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {Failure} from '../lib/failure.ts';
import {listProcesses, openFiles} from '../lib/process/process-table.ts';
import type {Subject} from './subject.ts';

/** The process at the other end of a connection. */
export type Caller =
	| {readonly kind: 'process'; readonly pid: number}
	/** No process in `/proc`: it is hidden, or in another namespace. */
	| {readonly kind: 'hidden'}
	/** The system has no `/proc`. */
	| {readonly kind: 'unknown'};

/** A file that a client holds open to identify itself. */
export type Token = {
	/** Path to open; absent on a system without `/proc`. */
	readonly hold?: string;
	readonly caller: () => Caller;
	readonly close: () => void;
};

export const noToken: Token = {caller: () => ({kind: 'unknown'}), close: () => {}};

/**
Creates a token for one connection.

Node.js has no `SO_PEERCRED`. But `/proc` shows which process has a file open; this one is unlinked, so only a process that was told its path can open it.

If none can be created, for example on a full disk, callers stay `hidden`.
*/
export const makeToken = (socket: string): Token => {
	if (!existsSync('/proc/self/fd')) {
		return noToken;
	}

	try {
		return tokenIn(dirname(socket));
	} catch {
		return {caller: () => ({kind: 'hidden'}), close: () => {}};
	}
};

const tokenIn = (folder: string): Token => {
	const file = join(folder, `.${randomBytes(8).toString('hex')}`);
	const own = openSync(file, 'wx', 0o600);
	unlinkSync(file);
	const hold = `/proc/${process.pid}/fd/${own}`;
	const link = readlinkSync(hold);
	let found: Caller = {kind: 'hidden'};
	return {
		hold,
		caller: () => {
			if (found.kind === 'hidden') {
				found = holderOf(link);
			}

			return found;
		},
		close: () => closeSync(own),
	};
};

/** Finds the process that has a file open. Clients have just started, so the youngest processes are checked first. */
const holderOf = (link: string): Caller => {
	const others = listProcesses().filter(({pid}) => pid !== process.pid);
	const holder = others
		.toSorted((one, other) => other.ticks - one.ticks)
		.find(({pid}) => openFiles(pid).includes(link));
	return holder === undefined ? {kind: 'hidden'} : {kind: 'process', pid: holder.pid};
};

/** Returns a one-word key of a subject. It is never parsed, but recordings have their pages under it, so no key may change. */
export const subjectText = (subject: Subject): string => {
	switch (subject.of) {
		case 'files':
			return `files:${subjectText(subject.in)}`;
		case 'file':
			return `file:${subjectText(subject.in)}:${subject.paths.join()}`;
		case 'work':
			return `${subject.agent}${contextText(subject)}`;
		case 'parts':
			return `parts:${subject.agent}`;
		case 'since':
			return `since:${subject.agent}:${subject.snapshot}${contextText(subject)}`;
		case 'restore':
			return `restore:${subject.agent}:${subject.snapshot}`;
		case 'reverted':
			return `reverted:${subject.agent}`;
		case 'result':
			return `result${contextText(subject)}`;
		case 'side':
			return `side:${subject.item}:${subject.side}`;
		case 'outcome':
			return `outcome:${subject.item}:${subject.choice}`;
		case 'hunks':
			return `hunks:${subject.item}`;
	}
};

const contextText = ({context}: {readonly context?: number}): string =>
	context === undefined ? '' : ` -U${context}`;

/** Intent of a caller: only a person decides, while their own agent may plan, start and watch a session for them. */
export type CallerIntent = 'deciding' | 'starting';

/**
Throws if the person's own coding agent, which they use outside of any session, asks for a decision.

A variable that the agent sets for all its processes identifies it. This keeps a helpful agent from approving work that it started; an agent that wants to pass for the person can remove the variable.

@param variables as `NAME=VALUE`
@throws `Failure` of kind `refused`
*/
export const requireNoOwnAgent = (variables: readonly string[]): void => {
	const [found] = Object.entries(ownAgents).filter(([name]) =>
		variables.some(variable => variable.startsWith(`${name}=`) && variable !== `${name}=`),
	);
	if (found !== undefined) {
		const [variable, agent] = found;
		throw new Failure('refused', `A person decides this, and ${agent} asked for it.`, {
			hint: `decide in a terminal of your own, in which ${variable} is not set; for scripts: delegate-tui token make NAME`,
		});
	}
};

/** Agents that people use in a terminal or an editor, by a variable that only they set for their processes. */
const ownAgents = {
	CLAUDECODE: 'Claude Code',
	CODEX_THREAD_ID: 'Codex',
	CODEX_SANDBOX: 'Codex',
	GEMINI_CLI: 'Gemini CLI',
	OPENCODE: 'opencode',
	CURSOR_AGENT: 'Cursor',
	AI_AGENT: 'an agent',
} as const;

/** Returns an environment without the marks of the person's own agent: a session is the person's in any case, and some agents refuse to start below another one. */
export const withoutOwnAgent = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in ownAgents)));
