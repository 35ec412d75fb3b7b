/** Files of an agent's in its scope that git leaves out of every snapshot. */
export type HiddenWork = {
	/** Since the agent wrote an ignore rule that matches them, or since they were ignored before and it told git to take them all the same. */
	readonly by: 'rule' | 'force';
	/** The first of them. */
	readonly paths: readonly string[];
	readonly count: number;
};
