import type {EffectKey} from '../events/effect-key.ts';
import type {EventOf} from '../events/event.ts';
import {withoutStop} from '../lib/text/words.ts';
import {omit} from '../lib/values.ts';
import type {Agent} from './agent/agent.ts';
import {judge, whyBadGlob, whyForbidden} from './agent/scope.ts';
import {violationsOf} from './agent/violations.ts';
import {withReply} from './reply.ts';
import {agentOf} from './select.ts';
import {type State, withAgent, withoutAttempt} from './state.ts';

/** Returns the reason why an agent can't be granted these paths, or nothing if it can. */
export const whyNotGrant = (agent: Agent, paths: readonly string[]): string | undefined => {
	const {reverted, stuck} = violationsOf(agent);
	const known = new Set([...reverted, ...stuck]);
	const strange = paths.find(path => !known.has(path));
	if (strange !== undefined) {
		return `No change of ${agent.id} in ${strange} was reverted.`;
	}

	return paths.length > mostGranted
		? `At most ${mostGranted} files can be granted at a time, and these are ${paths.length}; name some of them: delegate-tui agent ${agent.id} grant PATH…`
		: paths.map(path => whyNotWrite(agent, path)).find(why => why !== undefined);
};

/** Maximum number of paths in one grant: each becomes a glob, and all have to fit into one request. */
const mostGranted = 5000;

/** Returns the reverted paths that a person can grant. */
export const grantable = (agent: Agent): readonly string[] =>
	violationsOf(agent).reverted.filter(path => whyNotWrite(agent, path) === undefined);

/** Returns the reason why a path can't be granted: the plan forbids it, or as a glob it matches other paths, too. */
const whyNotWrite = ({id, subtask}: Agent, path: string): string | undefined => {
	if (/[*?{}]/.test(path) || whyBadGlob(path) !== undefined) {
		return `The path ${path} can’t be written as a glob.`;
	}

	return whyForbidden(id, subtask.scope, path);
};

/** Widens an agent's scope; its reverted changes there are restored once no turn of it runs. */
export const granted = (state: State, id: string, paths: readonly string[]): State =>
	withAgent(state, id, agent => {
		const {scope} = agent.subtask;
		const fresh = paths.filter(path => judge(scope, path) !== 'allowed');
		return {
			...agent,
			subtask: {...agent.subtask, scope: {...scope, allowed: [...scope.allowed, ...fresh]}},
			granted: {
				paths: [...new Set([...(agent.granted?.paths ?? []), ...paths])],
				since: state.seq,
			},
		};
	});

type Granted = EventOf<'scope.granted'>;

/** Restores the granted paths. An agent that has finished is told nothing, since a message would start it again. */
export const scopeGranted = (state: State, {agent: id, since, paths, left}: Granted): State => {
	const agent = agentOf(state, id);
	if (agent?.granted?.since !== since) {
		return state;
	}

	const known = [...paths, ...left.map(({path}) => path)];
	const brought = withAgent(state, id, one => ({
		...omit(one, 'granted'),
		violations: one.violations.filter(({path, refused}) => refused || !paths.includes(path)),
	}));
	return isOver(agent)
		? brought
		: withReply(brought, id, {
				item: `g-${since}`,
				heading: 'SCOPE DECISION',
				about: known.join(', '),
				text: [
					`The person granted what was reverted: your scope now includes ${known.join(', ')}.`,
					...(paths.length === 0 ? [] : [`Your changes are back: ${paths.join(', ')}.`]),
					...left.map(({path, why}) => `${path} is not: ${withoutStop(why)}.`),
				].join(' '),
			});
};

const isOver = ({state, outcome}: Agent): boolean =>
	state === 'COMPLETE' || state === 'FAILED' || outcome !== undefined;

/** Keeps the granted scope; the reverted changes are not restored, and the agent is told why. */
export const bringBackFailed = (
	state: State,
	effect: Extract<EffectKey, {do: 'bring-back'}>,
	message: string,
): State => {
	const {agent: id, since} = effect;
	const wanted = agentOf(state, id)?.granted;
	return scopeGranted(withoutAttempt(state, effect), {
		...{kind: 'scope.granted', seq: state.seq, at: state.at},
		...{agent: id, since, paths: []},
		left: (wanted?.paths ?? []).map(path => ({path, why: message})),
	});
};
