import {clockAt} from '../events/deadline.ts';
import {elapsedMs, formatDuration, runningText} from '../lib/text/duration.ts';
import {counted} from '../lib/text/words.ts';
import {type Agent, lastSnapshot} from '../state/agent/agent.ts';
import {mostFiles} from '../state/agent/allowance.ts';
import {tellsNoMoney} from '../state/agent/spending.ts';
import {isLive, isQuiet, silenceOf, startStep} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {silenceText} from './notices.ts';

/**
Notable conditions of an agent.

- `gone`: its process ended abnormally
- `starting`: its start takes long; with the step that it waits for
- `quiet`: its model has sent nothing since the turn began
- `silent`: it has sent nothing for minutes
- `unwatched`: it has a budget, but reports no cost
- `many-files`: it has changed more files than one agent should
- `no-checkpoint`: it has worked long without a checkpoint, reported or taken
*/
export type Condition = {
	readonly kind:
		| 'gone'
		| 'starting'
		| 'quiet'
		| 'silent'
		| 'unwatched'
		| 'many-files'
		| 'no-checkpoint';
	/** Words to follow the agent's name. */
	readonly text: string;
};

/** Data about an agent from outside its events, and the current time. */
export type Look = {
	readonly now: string;
	/** Number of files that it has changed so far. */
	readonly files?: number;
	/** Last recorded step of the preparation of its worktree. */
	readonly preparing?: {readonly at: string; readonly text: string};
};

/** Returns the notable conditions of an agent, the most urgent first. */
export const conditionsOf = (state: State, agent: Agent, look: Look): readonly Condition[] => [
	...gone(agent),
	...starting(state, agent, look),
	...silence(state, agent, look),
	...unwatched(state, agent),
	...manyFiles(state, agent, look),
	...noCheckpoint(state, agent, look),
];

/** Reports a process that ended abnormally, until a person is asked about it. */
const gone = ({state, turn}: Agent): readonly Condition[] => {
	if (turn.phase !== 'ended' || (state !== 'RUNNING' && state !== 'CHECKPOINT')) {
		return [];
	}

	switch (turn.end.by) {
		case 'lost':
			return [{kind: 'gone', text: 'its process ended with the supervisor; it is resumed'}];
		case 'signal':
			return [{kind: 'gone', text: `its process was ended by ${turn.end.signal}`}];
		case 'exit':
			return turn.end.code === 0
				? []
				: [{kind: 'gone', text: `its process ended with code ${turn.end.code}`}];
		case 'error':
		case 'stopped':
			return [];
	}
};

/** Time after which the status says what a start waits for, in milliseconds. */
const slowStartMs = 10_000;

const starting = (state: State, agent: Agent, {now, preparing}: Look): readonly Condition[] => {
	const since = clockAt(agent.since, state);
	const ms = elapsedMs(since, now);
	// Ignore steps of an earlier try.
	const isTold = agent.workspace.phase === 'wanted' && (preparing?.at ?? '') >= since;
	const what = (isTold && preparing?.text) || undefined;
	const isSlow = what !== undefined || ms >= slowStartMs;
	if (agent.state !== 'SPAWNING' || isLive(agent) || !isSlow) {
		return [];
	}

	return [{kind: 'starting', text: `starting for ${runningText(ms)}: ${what ?? startStep(agent)}`}];
};

const unwatched = (state: State, agent: Agent): readonly Condition[] =>
	tellsNoMoney(state, agent)
		? [{kind: 'unwatched', text: 'it reports no money, so its budget in dollars can’t be watched'}]
		: [];

const silence = (state: State, agent: Agent, {now}: Look): readonly Condition[] => {
	const silence = silenceOf(state, agent);
	if (agent.turn.phase !== 'live') {
		return [];
	}

	if (silence === undefined) {
		return isQuiet(state, agent) ? [quiet(elapsedMs(agent.turn.startedAt, now))] : [];
	}

	return [{kind: 'silent', text: silenceText(silence)}];
};

/** Reports an agent whose model has sent nothing; some agents retry silently when the model refuses requests. */
const quiet = (ms: number): Condition => ({
	kind: 'quiet',
	text: `no word from its model for ${runningText(ms)}; it may be waiting for a limit`,
});

const manyFiles = (
	state: State,
	agent: Agent,
	{files = lastSnapshot(agent)?.files ?? 0}: Look,
): readonly Condition[] => {
	const most = mostFiles(state, agent);
	return files <= most || agent.state === 'MERGED' || agent.state === 'ABORTED'
		? []
		: [{kind: 'many-files', text: `it has changed ${counted(files, 'file')}, more than ${most}`}];
};

const noCheckpoint = ({session}: State, agent: Agent, {now}: Look): readonly Condition[] => {
	const afterMs = session?.settings.checkpointMs ?? Infinity;
	const since = agent.checkpointAt ?? agent.startedAt;
	return agent.state !== 'RUNNING' ||
		!isLive(agent) ||
		since === undefined ||
		elapsedMs(since, now) < afterMs
		? []
		: [{kind: 'no-checkpoint', text: `no checkpoint for ${formatDuration(afterMs)}`}];
};
