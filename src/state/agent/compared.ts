import type {EffectKey} from '../../events/effect-key.ts';
import type {BodyOf, Claim, EventOf, WrongClaim} from '../../events/event.ts';
import {defined} from '../../lib/values.ts';
import {failedCommand, portsText} from '../merge/checked-result.ts';
import {type State, withAgent, withoutAttempt} from '../state.ts';
import {type Agent, lastSnapshot, type SnapshotCheck} from './agent.ts';

/** Records the findings of a comparison. A finding that is gone is forgotten, and reported again if it returns. */
export const workCompared = (
	state: State,
	{a, b, findings, more, unread = [], unchecked = [], failed}: BodyOf<'work.compared'>,
): State => {
	const before = state.compared.find(pair => isPair(pair, {a, b}));
	const keys = new Set(findings.map(({key}) => key));
	const notified = before?.notified.filter(({key}) => keys.has(key)) ?? [];
	const others = state.compared.filter(pair => pair !== before);
	return {
		...state,
		compared:
			findings.length + unread.length + unchecked.length === 0 && failed === undefined
				? others
				: [...others, {a, b, findings, more, unread, unchecked, notified, ...defined({failed})}],
	};
};

/** Records, by key, the findings of which an agent was told. */
export const withFindingsNotified = (
	state: State,
	agent: string,
	keys: readonly string[],
): State =>
	keys.length === 0
		? state
		: {
				...state,
				compared: state.compared.map(pair => ({
					...pair,
					notified: [
						...pair.notified,
						...pair.findings
							.filter(({key}) => [pair.a, pair.b].includes(agent) && keys.includes(key))
							.map(({key}) => ({agent, key})),
					],
				})),
			};

/** Returns whether two pairs have the same sides. */
export const isPair = (
	one: {readonly a: string; readonly b: string},
	other: {readonly a: string; readonly b: string},
): boolean => one.a === other.a && one.b === other.b;

/** Returns an agent's claims with their checks: its files, and its tests if they ran on exactly that work. */
export const claimsOf = (agent: Agent): readonly Claim[] => [
	...(lastSnapshot(agent)?.claims ?? []),
	...testsClaim(agent),
];

export const wrongClaims = (agent: Agent): readonly WrongClaim[] =>
	claimsOf(agent).filter(claim => !claim.holds);

/** Returns whether an agent reported a test result. */
export const claimsTests = (agent: Agent): boolean => saidOfTests(agent) !== undefined;

const saidOfTests = ({updates}: Agent): 'PASS' | 'FAIL' | undefined => {
	const said = updates.checkpoint?.tests?.result;
	return said === 'SKIPPED' ? undefined : said;
};

const testsClaim = (agent: Agent): readonly Claim[] => {
	const said = saidOfTests(agent);
	const check = checkOfWork(agent);
	if (said === undefined || check === undefined || check.ok === null) {
		return [];
	}

	const found = check.ok ? 'passed' : 'failed';
	return [{claim: `Tests: ${said}`, holds: (said === 'PASS') === check.ok, found}];
};

/** Returns the result of the plan's checks on an agent's work, in words. */
export const checkText = (check: SnapshotCheck | undefined): string => {
	if (check === undefined) {
		return 'not run yet';
	}

	switch (check.ok) {
		case true:
			return `passed${portsText(check)}: ${check.commands.map(({command}) => command).join(', ')}`;
		case false:
			return `FAILED: ${failedCommand(check)}${check.log === null ? '' : `, see ${check.log.path}`}`;
		case null:
			return check.why;
	}
};

/** Returns the last check of exactly the tree of an agent's last snapshot. */
export const checkOfWork = (agent: Agent): SnapshotCheck | undefined =>
	agent.checks.findLast(({tree}) => tree === lastSnapshot(agent)?.tree);

/** Records that a person wants an agent's last snapshot checked. */
export const checkWanted = (state: State, id: string): State =>
	withAgent(state, id, agent => {
		const last = lastSnapshot(agent);
		return last === undefined
			? agent
			: {...agent, toCheck: {number: last.number, since: state.seq}};
	});

export const snapshotChecked = (state: State, event: EventOf<'snapshot.checked'>): State => {
	const {agent, number, tree, at, ok, commands, log} = event;
	return withCheck(state, agent, {number, tree, at, ok, commands, log});
};

/** Records why a check could not run, in place of its result; a person's next request tries it again. */
export const checkFailed = (
	state: State,
	effect: Extract<EffectKey, {do: 'check-snapshot'}>,
	{message, at}: EventOf<'effect.failed'>,
): State => {
	const {agent: id, number} = effect;
	const agent = state.agents.find(agent => agent.id === id);
	const tree = agent?.snapshots.find(snapshot => snapshot.number === number)?.tree ?? '';
	const why = `it could not be run: ${message}`;
	return withCheck(withoutAttempt(state, effect), id, {number, tree, at, ok: null, why});
};

/** Maximum number of check results. */
const mostKept = 20;

const withCheck = (state: State, id: string, check: SnapshotCheck): State =>
	withAgent(state, id, ({toCheck, ...agent}) => ({
		...agent,
		...(toCheck === undefined || toCheck.number === check.number ? {} : {toCheck}),
		checks: [...agent.checks, check].slice(-mostKept),
	}));
