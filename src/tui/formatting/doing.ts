import type {PlanEntry} from '../../client/activity/account.ts';
import type {Activity, Model} from '../../client/model.ts';
import {conditionsOf} from '../../rules/conditions.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {type Row, span} from '../rows/row.ts';
import {type Presence, standingOf, toolRow} from './tool-look.ts';

/** Returns where an agent is, as far as it matters to its tools. */
export const presenceOf = ({turn}: Agent, now: string): Presence => ({
	turn: turn.phase === 'none' || turn.phase === 'ended' ? undefined : turn.number,
	now,
});

/** Returns in one row what an agent does just now, and where in its plan it is. */
export const doingRow = ({state, activities, tails, now}: Model, agent: Agent): Row => {
	const silence = conditionsOf(state, agent, {now}).find(
		({kind}) => kind === 'mute' || kind === 'silent',
	);
	if (silence !== undefined) {
		return [span(silence.text, 'warn')];
	}

	const activity = activities[agent.id];
	if (activity === undefined) {
		return [span('working', 'dim')];
	}

	const parts = [
		actionRow(activity, presenceOf(agent, now), (tails[agent.id] ?? []).length),
		planRow(activity.plan),
	].filter(part => part.length > 0);
	return parts.length === 0
		? [span('working', 'dim')]
		: parts.flatMap((part, index) => (index === 0 ? part : [span('  ·  ', 'dim'), ...part]));
};

/** The tool that runs; else what it thinks, while that is the last there is. */
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
