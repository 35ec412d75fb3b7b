import {type Agent, lastSnapshot} from './agent.ts';

/** Violations of an agent's scope in all its turns, each path once. */
export type Violations = {
	/** Reverted; a patch of each is kept. */
	readonly reverted: readonly string[];
	/** Still there, since they can't be reverted; nevertheless in no merge. */
	readonly stuck: readonly string[];
	/** Requested and refused, so never changed. */
	readonly blocked: readonly string[];
};

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
