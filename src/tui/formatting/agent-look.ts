import type {PlanEntry} from '../../client/activity/account.ts';
import type {Activity, Model} from '../../client/model.ts';
import {loadTexts, spentTexts} from '../../client/texts/reported-text.ts';
import {awakeAt, awakeFor} from '../../events/deadline.ts';
import {runningText} from '../../lib/text/duration.ts';
import {counted, enumerated} from '../../lib/text/words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {defined} from '../../lib/values.ts';
import {agentCollisions} from '../../rules/collisions.ts';
import {type Condition, conditionsOf} from '../../rules/conditions.ts';
import {waitsFor} from '../../rules/effects/slots.ts';
import {limitText, limitWaitOf} from '../../rules/limit-wait.ts';
import {isLoadOf, mergeStep} from '../../rules/status.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {type Item, type ItemOf, isUrgent} from '../../state/item.ts';
import {isNear} from '../../state/items/limit.ts';
import {waitFor} from '../../state/items/question/wait.ts';
import {blockingItems} from '../../state/items.ts';
import {membersOf} from '../../state/merge/members.ts';
import {standingWith} from '../../state/merge/publication.ts';
import {contendersOf} from '../../state/rivals/rivals.ts';
import {isGivenUp, isLive, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Row, type Span, span, type Tone} from '../rows/row.ts';
import {workedText} from '../screens/items/work/work.ts';
import {type Presence, standingOf, toolRow} from './spoken.ts';

export const looks: Readonly<Record<Agent['state'], readonly [string, Tone]>> = {
	PENDING: ['·', 'dim'],
	SPAWNING: ['◌', 'info'],
	RUNNING: ['●', 'good'],
	CHECKPOINT: ['◆', 'warn'],
	COMPLETE: ['✓', 'good'],
	FAILED: ['✗', 'bad'],
	MERGED: ['✔', 'info'],
	ABORTED: ['–', 'dim'],
};

/** Words for people; those for scripts differ. */
const words: Readonly<Record<Agent['state'], string>> = {
	PENDING: 'NOT STARTED',
	SPAWNING: 'STARTING',
	RUNNING: 'WORKING',
	CHECKPOINT: 'WAITS',
	COMPLETE: 'DONE',
	FAILED: 'FAILED',
	MERGED: 'MERGED',
	ABORTED: 'ABORTED',
};

/** Words for an agent that can't continue before a person decides an item, by the item's kind. */
const waits: Readonly<Partial<Record<Item['kind'], string>>> = {
	question: 'ASKS',
	permission: 'ASKS',
	delegation: 'ASKS',
	scope: 'NEEDS SCOPE',
	blocker: 'BLOCKED',
	checkpoint: 'CHECKPOINT',
	limit: 'AT ITS LIMIT',
	review: 'WAITS FOR REVIEW',
};

export const stateSpan = (state: State, agent: Agent): Span => {
	const [sign, tone] = looks[agent.state];
	if (agent.held !== undefined && !isGivenUp(agent)) {
		return span(`${sign} PAUSED`, tone);
	}

	const item = waitingItem(state, agent);
	const wait = item === undefined || goesOnBeside(agent, item) ? undefined : waits[item.kind];
	if (wait !== undefined && agent.state === 'RUNNING') {
		const [asking, attention] = looks.CHECKPOINT;
		return span(`${asking} ${wait}`, attention);
	}

	if (isTakenBack(state, agent)) {
		return span('– TAKEN BACK', 'dim');
	}

	const stands =
		isUnderWay(agent) && limitWaitOf(state, agent) !== undefined
			? 'WAITS FOR ITS MODEL'
			: words[agent.state];
	return span(`${sign} ${(isGivenUp(agent) ? undefined : wait) ?? stands}`, tone);
};

/** Returns whether an agent's work was merged, and is not in the target any more. */
const isTakenBack = (state: State, {id, state: stands}: Agent): boolean =>
	stands === 'MERGED' && standingWith(state, id) === undefined;

/** Returns whether an agent continues while a person is asked about its limit. */
const goesOnBeside = (agent: Agent, item: Item): boolean =>
	agent.state === 'RUNNING' && item.kind === 'limit' && isNear(item);

/** Returns the item of an agent that waits for a person, first one that holds it up. */
export const waitingItem = (state: State, agent: Agent): Item | undefined =>
	blockingItems(state, agent)[0] ?? itemsOf(state, agent.id)[0];

/** Returns the counts of an agent. */
export const numbersRow = (
	agent: Agent,
	model: Pick<Model, 'now' | 'activities' | 'state'>,
): Row => {
	const {now, activities, state} = model;
	const files = changedFileCount({activities}, agent);
	const counts = [
		workedText(agent, {now, state}),
		// There is no count before the first snapshot.
		...(files === undefined ? [] : [counted(files, 'file')]),
		...(agent.checkpoints > 0 ? [counted(agent.checkpoints, 'checkpoint')] : []),
		...(agent.errors > 0 ? [counted(agent.errors, 'error')] : []),
	];
	const violations = violationsText(agent);
	const {phase, status} = agent.updates;
	return [
		// Violations come first, so that a narrow pane still shows them.
		...collisionSpans(state, agent),
		...messageSpans(agent),
		...rivalSpans(state, agent),
		...conditionSpans(model, agent),
		...(violations === '' ? [] : [span(`${violations}  `, 'warn')]),
		span(counts.join(' · '), 'dim'),
		// The agent's phase has any length, so it comes after the short facts.
		...(phase === undefined || !isUnderWay(agent)
			? []
			: [span(`  ${phase}${status ? `: ${status}` : ''} `, 'info')]),
		...[
			...spentTexts(activities[agent.id]?.spent ?? {}),
			...loadTexts(loadNow(activities, agent)),
		].map(text => span(` · ${text}`, 'dim')),
	];
};

/** Returns the current load of its processes; nothing between turns. */
export const loadNow = (
	activities: Model['activities'],
	agent: Agent,
): Activity['load'] | undefined => {
	const load = activities[agent.id]?.load;
	return isLoadOf(agent, load) ? load : undefined;
};

const rivalSpans = (state: State, {id}: Agent): Row => {
	const rivals = contendersOf(state, id).map(rival => rival.id);
	return rivals.length === 0 ? [] : [span(`rival of ${enumerated(rivals)}  `, 'info')];
};

/** Returns the last counted number of changed files in its scope; nothing before the first count. */
export const changedFileCount = (
	{activities}: Pick<Model, 'activities'>,
	agent: Agent,
): number | undefined => {
	const changed = isLive(agent) ? activities[agent.id]?.changed : undefined;
	return changed?.files ?? lastSnapshot(agent)?.files;
};

export const conditionsNow = (
	{now, activities, state}: Pick<Model, 'now' | 'activities' | 'state'>,
	agent: Agent,
): readonly Condition[] => {
	const files = changedFileCount({activities}, agent);
	const preparing = activities[agent.id]?.preparing;
	return conditionsOf(state, agent, {now, ...defined({files, preparing})});
};

/** Returns the conditions of an agent; silence is shown elsewhere, in place of its activity. */
const conditionSpans = (model: Pick<Model, 'now' | 'activities' | 'state'>, agent: Agent): Row =>
	conditionsNow(model, agent)
		.filter(({kind}) => kind !== 'quiet' && kind !== 'silent')
		.map(({kind, text}) => span(`${shortConditions[kind] ?? text}  `, 'warn'));

const shortConditions: Partial<Record<Condition['kind'], string>> = {
	gone: 'process gone',
	'many-files': 'many files',
	'no-checkpoint': 'no checkpoint',
};

const messageSpans = ({replies}: Agent): Row => {
	const count = replies.filter(({heading}) => heading === 'MESSAGE').length;
	return count === 0 ? [] : [span(`${counted(count, 'message')} queued  `, 'info')];
};

const collisionSpans = (state: State, agent: Agent): Row => {
	const seen = agentCollisions(state, agent.id);
	const others = [...new Set(seen.map(({other}) => other))];
	const paths = [...new Set(seen.map(({finding}) => finding.path))];
	const where = paths.length === 1 ? paths[0] : counted(paths.length, 'file');
	return seen.length === 0 ? [] : [span(`collides with ${others.join(', ')}: ${where}  `, 'warn')];
};

/** Returns whether the phase that an agent last reported still applies. */
export const isUnderWay = ({state}: Agent): boolean =>
	state === 'SPAWNING' || state === 'RUNNING' || state === 'CHECKPOINT';

/** Returns the numbers of an agent's violations: `1 reverted · 2 blocked`; empty for none. */
export const violationsText = ({violationCounts: {reverted, blocked}}: Agent): string =>
	[
		...(reverted === 0 ? [] : [`${reverted} reverted`]),
		...(blocked === 0 ? [] : [`${blocked} blocked`]),
	].join(' · ');

/** Returns the action or wait of an agent, or the reason for its state. */
export const waitingRow = (model: Model, agent: Agent): Row => {
	const {state} = model;
	if (agent.held !== undefined && !isGivenUp(agent)) {
		return [span(isLive(agent) ? 'is being paused' : 'paused by you', 'warn')];
	}

	const item = waitingItem(state, agent);
	if (item !== undefined && goesOnBeside(agent, item)) {
		return [span(`asks: ${item.id} ${item.kind}  `, 'warn'), ...doingRow(model, agent)];
	}

	if (item !== undefined) {
		return [
			span(`waits for you: ${item.id} ${item.kind}`, 'warn'),
			...(isUrgent(item) ? [span('  urgent', 'bad')] : []),
			...(item.kind === 'question' ? clockSpans(model, item) : []),
		];
	}

	const awaited = (agent.awaits ?? []).map(({agent: id}) => id);
	const others = agent.state === 'PENDING' ? waitsFor(state, agent) : awaited;
	if (others.length > 0) {
		return [span(`waits for ${others.join(', ')}`, 'info')];
	}

	const isOver = agent.state === 'MERGED' || agent.state === 'ABORTED';
	if (agent.verdict.kind === 'accepted' && !isOver) {
		const approval = state.items.find(({kind}) => kind === 'approval');
		return approval !== undefined && membersOf(state.merge).includes(agent.id)
			? [span(`waits for you: ${approval.id} approval`, 'warn')]
			: [span('included in the result', 'good')];
	}

	const limit = limitWaitOf(state, agent);
	if (limit !== undefined) {
		return [span(limitText(limit, thisMoment(model.now)), 'warn')];
	}

	if (isTakenBack(state, agent)) {
		return [span('its merge was taken back', 'warn')];
	}

	return agent.state === 'RUNNING'
		? doingRow(model, agent)
		: agent.state === 'SPAWNING'
			? []
			: [span(agent.why, 'dim')];
};

/** Returns a finished agent's results, as far as it named them: its title, the number of created files, its counts. */
export const broughtSpans = (agent: Agent): Row => {
	const {title, created, counts} = agent.updates;
	const words = [
		...(title === undefined ? [] : [title]),
		...(created.length === 0 ? [] : [`created ${counted(created.length, 'file')}`]),
		...(counts.length === 0 ? [] : [`count ${counts.join(', ')}`]),
	];
	return isUnderWay(agent) || words.length === 0 ? [] : [span(`  ${words.join(' · ')}`, 'dim')];
};

/** Returns the time until an agent that waits in its turn is parked; nothing without such a deadline. */
const clockSpans = ({state, now}: Model, item: ItemOf<'question'>): Row => {
	const wait = waitFor(state, item);
	const leftMs = wait.how === 'until' ? awakeFor(awakeAt(now, state.aheadMs), wait.at) : 0;
	return leftMs > 0 ? [span(`  paused in ${runningText(leftMs)}`, 'dim')] : [];
};

/** Returns an agent's turn and the time, from which the state of its tools follows. */
export const presenceOf = ({turn}: Agent, now: string): Presence => ({
	turn: turn.phase === 'none' || turn.phase === 'ended' ? undefined : turn.number,
	now,
});

/** Returns a row with an agent's current action and its place in its plan; empty if it told neither. */
const doingRow = ({state, activities, tails, now}: Model, agent: Agent): Row => {
	const silence = conditionsOf(state, agent, {now}).find(
		({kind}) => kind === 'quiet' || kind === 'silent',
	);
	if (silence !== undefined) {
		return [span(silence.text, 'warn')];
	}

	const activity = activities[agent.id];
	if (activity === undefined) {
		return [];
	}

	const parts = [
		actionRow(activity, presenceOf(agent, now), (tails[agent.id] ?? []).length),
		planRow(activity.plan),
	].filter(part => part.length > 0);
	return parts.flatMap((part, index) => (index === 0 ? part : [span('  ·  ', 'dim'), ...part]));
};

/** Returns the running tool, or otherwise a thought that is the last passage. */
const actionRow = ({passages}: Activity, presence: Presence, lines: number): Row => {
	const running = passages
		.flatMap(({passage}) => (passage.kind === 'tool' ? [passage] : []))
		.findLast(tool => standingOf(tool, presence) === 'running');
	if (running !== undefined) {
		return toolRow(running, presence);
	}

	const last = passages.at(-1);
	if (last === undefined || last.before < lines || last.passage.turn !== presence.turn) {
		return [];
	}

	switch (last.passage.kind) {
		case 'thought':
			return [span('thinks: ', 'info'), span(lastLine(last.passage.text), 'dim')];
		case 'retrying':
			return [span(`tries its model again: ${last.passage.why}`, 'warn')];
		default:
			return [];
	}
};

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? '';

const planRow = (plan: readonly PlanEntry[]): Row => {
	const done = plan.filter(({status}) => status === 'completed').length;
	const now = plan.find(({status}) => status === 'in_progress');
	return plan.length === 0
		? []
		: [
				span(`plan ${done}/${plan.length}`, 'info'),
				...(now === undefined ? [] : [span(`: ${now.content}`, 'dim')]),
			];
};

/** Returns the session's phase once no agent is working; nothing before. */
export const sessionPhaseSpan = ({state}: Pick<Model, 'state'>): Span | undefined => {
	const {session, publications} = state;
	const last = publications.at(-1);
	if (session?.ended && last !== undefined && last.phase !== 'standing') {
		return span('The session has ended, and its merge was taken back.', 'warn');
	}

	if (session?.ended) {
		const tone = last === undefined ? 'info' : 'good';
		return span(`The session has ended: ${session.ended.why}`, tone);
	}

	const step = mergeStep(state);
	return step === undefined ? undefined : span(step, 'info');
};
