/** Returns the name of an agent's branch in its hub. */
export const branchOf = (agent: string): string => `agent/${agent}`;
