import type {BodyOf} from '../../events/event.ts';
import type {SurvivingProcess} from '../../events/kinds/machine-event.ts';
import type {State} from '../../state/state.ts';
import type {World} from '../world.ts';

/** Returns that these processes are all that is left of an agent, or of the plan's own commands. */
export const survivorsLeft = (
	agent: string | null,
	processes: readonly SurvivingProcess[],
): BodyOf<'machine.survivors'> => ({
	kind: 'machine.survivors',
	agent,
	processes: processes.map(({pid, startTime, command}) => ({pid, startTime, command})),
});

/** Tells what survived an agent's process or the plan's own commands, if it is news. */
export const reportSurvivors = (
	world: Pick<World, 'report' | 'state'>,
	agent: string | null,
	processes: readonly SurvivingProcess[],
): void => {
	if (processes.length > 0 || isKnown(world.state(), agent)) {
		world.report(survivorsLeft(agent, processes));
	}
};

const isKnown = ({survivors}: State, agent: string | null): boolean =>
	survivors.some(survivor => survivor.agent === agent);
