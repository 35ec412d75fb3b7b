/** Returns an id for each agent: its own, or one of the lowest number that is free. */
export const giveIds = (agents: readonly {readonly id?: string}[]): readonly string[] => {
	const taken = new Set(agents.map(({id}) => id));
	let number = 0;
	return agents.map(({id}) => {
		if (id !== undefined) {
			return id;
		}

		do {
			number += 1;
		} while (taken.has(nameOf(number)));
		return nameOf(number);
	});
};

const nameOf = (number: number): string => `AGT-${String(number).padStart(3, '0')}`;
