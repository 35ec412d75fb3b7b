/** Returns a name for something of an agent that nothing else has, in this session or in another one. */
export const outerName = (session: string | undefined, agent: string, name: string): string =>
	`${session}_${agent}_${name}`;

/** Returns the same for a file in folders of the agent's own, whatever it is called there; it names no other session then. */
export const broughtOutName = (session: string | undefined, agent: string, name: string): string =>
	outerName(session, agent, `own_${name.replaceAll('DEL-', 'DEL_')}`);
