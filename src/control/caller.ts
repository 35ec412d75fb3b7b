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
	/** No process in `/proc`: it hides, or is in another namespace. */
	| {readonly kind: 'hidden'}
	/** The system has no `/proc`. */
	| {readonly kind: 'unknown'};

/** A file that a client holds open to show who it is. */
export type Token = {
	/** Path to open; absent where the system doesn't tell. */
	readonly hold?: string;
	readonly caller: () => Caller;
	readonly close: () => void;
};

export const noToken: Token = {caller: () => ({kind: 'unknown'}), close: () => {}};

/**
Makes a token for one connection.

Node.js has no `SO_PEERCRED`. But `/proc` tells which process has a file open; this one is unlinked, so only a process that was told its path can open it.

Where none can be made, as on a full disk, callers stay `hidden`.
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

/** Clients have just started, so the youngest are looked at first. */
const holderOf = (link: string): Caller => {
	const others = listProcesses().filter(({pid}) => pid !== process.pid);
	const holder = others
		.toSorted((one, other) => other.ticks - one.ticks)
		.find(({pid}) => openFiles(pid).includes(link));
	return holder === undefined ? {kind: 'hidden'} : {kind: 'process', pid: holder.pid};
};

/** Returns a subject in one word, which is never read back: what was shown of it is kept under that. */
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

/** What a caller is about: only a person decides, while an agent that they work with may plan, start and watch a session for them. */
export type CallerIntent = 'deciding' | 'starting';

/**
Refuses a decision that the person's own coding agent asks for, one that they work with outside of any session.

It is known by the variable that it sets for all that it runs. This keeps a helpful agent from approving what it started; one that means to pass for the person can take the variable away.

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

/** Agents that people work with in a terminal or an editor, by a variable that only they set for what they run. */
const ownAgents = {
	CLAUDECODE: 'Claude Code',
	CODEX_THREAD_ID: 'Codex',
	CODEX_SANDBOX: 'Codex',
	GEMINI_CLI: 'Gemini CLI',
	OPENCODE: 'opencode',
	CURSOR_AGENT: 'Cursor',
	AI_AGENT: 'an agent',
} as const;

/** Returns an environment without the marks of the person's own agent: a session is theirs whoever started it, and some agents refuse to start below another one. */
export const withoutOwnAgent = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in ownAgents)));
