import {type Agent, lastSnapshot} from './agent.ts';

/** Where an agent went beyond its scope in all its turns, each path once. */
export type Violations = {
	/** Reverted; a patch of it is kept. */
	readonly reverted: readonly string[];
	/** Still there, since it can't be reverted; in no merge all the same. */
	readonly stuck: readonly string[];
	/** Asked for and refused: it never happened. */
	readonly blocked: readonly string[];
};

/** Returns where an agent went beyond its scope, of all that is known. */
export const violationsOf = (agent: Agent): Violations => {
	const {stuck = [], outside = []} = lastSnapshot(agent) ?? {};
	const pathsOf = (wanted: boolean): readonly string[] =>
		agent.violations.filter(({refused}) => refused === wanted).map(({path}) => path);
	const isStuck = new Set(stuck);
	return {
		reverted: [...new Set([...pathsOf(false), ...outside])].filter(path => !isStuck.has(path)),
		stuck,
		blocked: pathsOf(true),
	};
};
