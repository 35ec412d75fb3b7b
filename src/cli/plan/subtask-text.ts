import {stringify} from 'yaml';

/** An agent's part as it is typed: what is not said is left out. */
export type SubtaskWords = {
	readonly goal?: string;
	readonly scope?: readonly string[];
	readonly forbid?: readonly string[];
	readonly agent?: string;
	readonly bestOf?: readonly string[];
	readonly after?: readonly string[];
	readonly inputs?: readonly string[];
	readonly metrics?: readonly string[];
	readonly output?: string;
	readonly timeout?: string;
	readonly thinking?: string;
	readonly tokens?: string;
	readonly behavior?: string;
	readonly expect?: readonly string[];
	readonly mode?: string;
	readonly images?: readonly string[];
};

/** Writes it as an entry of a plan file, so that it is read and judged as one. */
export const subtaskText = (words: SubtaskWords & {readonly subtask: string}): string => {
	const {subtask, goal, scope, forbid, agent, bestOf, tokens, ...rest} = words;
	const {after, inputs, metrics, output, timeout, thinking, behavior, expect, mode, images} = rest;
	return stringify({
		subtask,
		goal,
		scope: {allowed: scope, forbidden: forbid},
		agent,
		best_of: bestOf?.flatMap(names => names.split(',')).filter(name => name !== ''),
		after,
		inputs,
		metrics,
		output,
		timeout,
		thinking,
		tokens: tokens !== undefined && /^\d+$/.test(tokens) ? Number(tokens) : tokens,
		behavior,
		expect,
		mode,
		images,
	});
};
