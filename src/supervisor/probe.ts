import {relative} from 'node:path';
import type {Body} from '../events/event.ts';
import type {Missing, RestartFinding, SurvivingProcess} from '../events/kinds/machine-event.ts';
import {tipOf} from '../git/repository/repository.ts';
import {killStragglers, listMarked} from '../lib/process/kill-stragglers.ts';
import {endGroup} from '../lib/process/processes.ts';
import {defined} from '../lib/values.ts';
import {undoOf} from '../state/merge/publication.ts';
import type {State} from '../state/state.ts';
import {survivorsLeft, whatIsMissing} from './machine/survivors.ts';
import {removeChecks} from './perform/checks.ts';
import {turnMark} from './perform/start/start.ts';
import {forgetTrace} from './requests/attempts.ts';
import {whatIsUnfinished} from './worktree/change-worktree.ts';
import {sessionMark, type World} from './world.ts';

/** Findings when a supervisor starts. */
export type Probed = {
	/** Findings after a crash; absent after a clean end. */
	readonly found: RestartFinding | undefined;
	/** Events that happened while no supervisor ran. */
	readonly news: readonly Body[];
};

/**
Compares the journal with the process table and git when a supervisor starts.

A turn that is live in the journal lost its pipes when its supervisor died: its remaining processes are ended, its work stays where it is, and the agent resumes. `tornTail` is the file with the journal's torn end, if it had one.
*/
export const probe = async (
	world: World,
	state: State,
	tornTail: string | undefined,
): Promise<Probed> => {
	const running = listMarked(sessionMark(world.session));
	const lost = await endLostTurns(world, state);
	const survived = await endLeftovers(world, state);
	await removeChecks(world);
	const unfinished = await whatIsUnfinished(world, state);
	const isMadeAnew = ({agent, what}: Missing): boolean =>
		what === 'worktree' && unfinished.some(one => one.agent === agent && one.doing === 'made');
	const missing = (await whatIsMissing(world, state)).filter(one => !isMadeAnew(one));
	return {
		found: whatWasFound(state, running, {
			...defined({torn: tornTail && relative(world.folder.path, tornTail)}),
			...(missing.length === 0 ? {} : {missing}),
			...(unfinished.length === 0 ? {} : {unfinished}),
		}),
		news: [...lost, ...survived, ...(await findTargetMove(world, state))],
	};
};

const endLostTurns = async (world: World, {agents}: State): Promise<readonly Body[]> => {
	const lost: Body[] = [];
	for (const {id, turn} of agents) {
		if (turn.phase === 'live') {
			await endGroup(turn, {graceMs: 0});
			await forgetTrace(world.folder.agent(id).gitTrace);
			lost.push({kind: 'turn.ended', agent: id, turn: turn.number, end: {by: 'lost'}});
		}
	}

	return lost;
};

/** Ends the remaining processes of agents. If an agent's last turn was cut off, it looks for processes in the worktree as well. */
const endLeftovers = async (world: World, {agents}: State): Promise<readonly Body[]> => {
	const told: Body[] = [];
	for (const {id, turn} of agents) {
		const survivors = await killStragglers({
			mark: turnMark(world.session, id),
			...(turn.phase === 'live'
				? {workedIn: {folder: world.folder.agent(id).tree, since: turn.startTime}}
				: {}),
		});
		told.push(...survivorEvents(id, survivors));
	}

	return [
		...told,
		...survivorEvents(null, await killStragglers({mark: sessionMark(world.session)})),
	];
};

const survivorEvents = (
	agent: string | null,
	survivors: readonly SurvivingProcess[],
): readonly Body[] => (survivors.length === 0 ? [] : [survivorsLeft(agent, survivors)]);

const whatWasFound = (
	state: State,
	ended: readonly SurvivingProcess[],
	others: Pick<RestartFinding, 'torn' | 'missing' | 'unfinished'>,
): RestartFinding | undefined => {
	const {agents, merge, session} = state;
	const lost = agents
		.filter(({turn}) => turn.phase === 'live')
		.map(({id, snapshots}) => ({agent: id, snapshot: snapshots.at(-1)?.number ?? null}));
	const interrupted = [
		...(merge.phase === 'built' && session?.plan.verify.length !== 0 ? ['check' as const] : []),
		...(merge.phase === 'intended' ? ['publication' as const] : []),
		...(undoOf(state) === undefined ? [] : ['undo' as const]),
	];
	return lost.length + interrupted.length + ended.length + Object.keys(others).length === 0
		? undefined
		: {lost, interrupted, ended, ...others};
};

/** Returns an event if the target has moved since the last look. */
export const findTargetMove = async (world: World, state: State): Promise<readonly Body[]> => {
	if (!state.session || state.session.ended) {
		return [];
	}

	const {target, tip} = state.session;
	const now = await tipOf(world.repository, target);
	return now === undefined || now === tip ? [] : [{kind: 'target.moved', from: tip, to: now}];
};
