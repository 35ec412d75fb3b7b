import {enumerated} from '../../lib/text/enumerated.ts';
import type {Attribution, Part, RedSet, Verdict} from './attribution.ts';
import type {PartRun} from './merge.ts';

/** Returns in sentences whose work fails a check; nothing as long as that isn't known. */
export const verdictText = (verdict: Verdict, target: string): string | undefined => {
	switch (verdict.kind) {
		case 'open':
			return undefined;
		case 'flaky':
			return 'Red once, green once: the same result passed when it was checked again.';
		case 'target':
			return `${target} is red by itself: the check fails without anybody’s work.`;
		case 'unclear':
			return 'The result could not be checked a second time, so nobody is blamed for it.';
		case 'agents':
			return verdict.sets.map(setText).join(' ');
	}
};

/** Returns in a sentence that a group of agents breaks a check. */
export const setText = ({agents, isSure}: RedSet): string => {
	switch (agents.length) {
		case 1:
			return `${agents[0]} alone breaks it.`;
		case 2:
			return `${enumerated(agents)} together break it${isSure ? '; each alone is green' : ''}.`;
		default:
			return isSure
				? `${enumerated(agents)} break it only all together; any two of them are green.`
				: `${enumerated(agents)} break it together; nobody was seen to break it alone.`;
	}
};

/** Returns what a part is called: those whose work is in it. */
export const partName = (part: Part, everybody: Part, target: string): string => {
	if (part.length === 0) {
		return `${target} alone`;
	}

	return part.length === everybody.length ? 'everything once more' : part.join('+');
};

/** Returns which checks are under way and how many there may be; nothing when all is known. */
export const waitsForText = (
	{next, open}: Attribution,
	runs: readonly PartRun[],
	{everybody, target, atOnce}: {everybody: Part; target: string; atOnce: number},
): string | undefined => {
	const names = next.slice(0, atOnce).map(part => partName(part, everybody, target));
	const [first, last] = [runs.length + 1, runs.length + names.length];
	return names.length === 0
		? undefined
		: `check ${first === last ? first : `${first}–${last}`} of ${runs.length + open}: ${names.join(', ')}`;
};
