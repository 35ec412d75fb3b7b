/** An agent and those it waits for. */
export type Waiting = {
	readonly id: string;
	readonly after: readonly string[];
};

/**
Finds agents that wait for each other in a circle, as the ids along it, the first one repeated at
the end.

Those who wait for nobody that is left are let go round by round; from any that then remain,
following whom they wait for must lead into a circle.
*/
export const findCycle = (agents: readonly Waiting[]): readonly string[] | undefined => {
	const left = stuck(agents);
	const walked: string[] = [];
	let [current] = left;
	while (current !== undefined) {
		const {id, after} = current;
		const start = walked.indexOf(id);
		walked.push(id);
		if (start !== -1) {
			return walked.slice(start);
		}

		current = left.find(agent => after.includes(agent.id));
	}

	return undefined;
};

const stuck = (agents: readonly Waiting[]): readonly Waiting[] => {
	const left = agents.filter(({after}) => agents.some(({id}) => after.includes(id)));
	return left.length === agents.length ? left : stuck(left);
};
