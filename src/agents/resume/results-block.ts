import {cutTo, sizeOfLine} from '../../lib/text/words.ts';
import {oneLine} from '../turn.ts';

/** An agent's results, for the prompt of an agent that waited for them. */
export type AgentResults = {
	readonly agent: string;
	/** Its state, with the reason. */
	readonly ended: string;
	readonly facts: readonly (readonly [name: string, value: string])[];
	/** Its last message without signals, by line. */
	readonly message: readonly string[];
};

/** Maximum length of results in a prompt, in bytes. */
export const resultsInPrompt = 8 * 1024;

/**
Returns a block of a prompt with agents' results, in the given order.

If they exceed `mostBytes`, the longest are cut until all have an equal share. Each of their lines follows a label of ours, so that an agent that repeats its prompt says none of their signals.

@param file path of the full text, relative to the worktree
*/
export const resultsBlock = (
	all: readonly AgentResults[],
	{file, mostBytes = Number.POSITIVE_INFINITY}: {file?: string; mostBytes?: number} = {},
): string => {
	const last = file === undefined ? [] : [`In full: ${file}`];
	const texts = all.map(textOf);
	const frame = ['RESULTS', ...last].reduce((sum, line) => sum + sizeOfLine(line), 0);
	const shares = fairShares(texts.map(sizeOfLine), mostBytes - frame);
	return ['RESULTS', ...texts.map((text, at) => cutTo(text, shares[at] ?? 0)), ...last].join('\n');
};

const textOf = ({agent, ended, facts, message}: AgentResults): string =>
	[
		`${agent} ${oneLine(ended)}`,
		...facts.map(([name, value]) => `- ${name}: ${oneLine(value)}`),
		...(message.length === 0 ? [] : ['- Last message:']),
		...message.map(line => `  ${agent}: ${oneLine(line)}`),
	].join('\n');

/** Divides a total equally; the unused rest of small texts goes to the others. */
const fairShares = (sizes: readonly number[], total: number): readonly number[] => {
	const shares = [...sizes];
	let left = total;
	const ascending = sizes.map((size, at) => ({size, at})).toSorted((a, b) => a.size - b.size);
	for (const [done, {size, at}] of ascending.entries()) {
		const share = Math.min(size, Math.floor(left / (sizes.length - done)));
		shares[at] = share;
		left -= share;
	}

	return shares;
};
