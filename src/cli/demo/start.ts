import {type Config, mergeSettings} from '../config/config.ts';
import {findHere, type Here, type LastSession} from '../here.ts';
import {readPlanText} from '../plan/read-plan.ts';
import {startPlan} from '../plan/start-plan.ts';
import type {Playground} from './playground.ts';
import type {Scene} from './scene.ts';

/** A session of a demo. */
export type Started = {
	readonly here: Here;
	readonly session: LastSession;
	readonly config: Config;
};

/** Turns to the place of a demo: from here on, this process and all it starts know no other. */
export const enter = async ({repository, environment}: Playground): Promise<Here> => {
	Object.assign(process.env, environment);
	return findHere(repository);
};

/**
Starts the session of a scene, with its plan waiting for a decision; `demo` allows scripted ones.

The person's config has no say in a story that must go as it was written.
*/
export const startScene = async (
	{plan}: Scene,
	{folder, profiles}: Playground,
	here: Here,
	{demo}: {demo: boolean},
): Promise<Started> => {
	const config = mergeSettings(
		[
			{
				settings: {agents: profiles, limits: {stagger: 0}, notify: {desktop: false}},
				by: 'built in',
			},
		],
		folder,
	);
	const read = await readPlanText(plan, {
		file: 'plan.yaml',
		repository: here.repository,
		config,
	});
	const session = await startPlan(here, config, read, {approved: false, demo});
	return {here, session, config};
};
