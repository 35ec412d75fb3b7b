import type {Config} from '../config/config.ts';
import type {Here, LastSession} from '../here.ts';
import {print} from '../output.ts';
import {compose} from './compose.ts';
import {readPlanText} from './read-plan.ts';
import {startPlan} from './start-plan.ts';

export type ComposeOptions = {
	/** What the plan is about, as far as it was said. */
	readonly task: string;
	/** The session before, which has ended. */
	readonly last: LastSession | undefined;
};

/** Lets the person compose a plan on the screen, and returns the session that they started with it, if they did. */
export const composePlan = async (
	here: Here,
	config: Config,
	{task, last}: ComposeOptions,
): Promise<LastSession | undefined> => {
	let starting: Promise<LastSession> | undefined;
	const ended = last?.state.session?.ended;
	const ending = await compose(here, config, {
		purpose: 'start',
		begin: {task},
		...(last === undefined || ended === undefined
			? {}
			: {lastEnd: `The last session, ${last.id}, has ended: ${ended.why}.`}),
		run: async (text, file) => {
			const plan = await readPlanText(text, {file, repository: here.repository, config});
			starting = startPlan(here, config, plan, {approved: true, demo: false});
			await starting;
		},
	});
	const session = await starting?.catch(() => undefined);
	if (ending === 'started' || session === undefined) {
		return session;
	}

	print(`Session ${session.id} was started all the same. Come back: delegate-tui`);
	return undefined;
};
