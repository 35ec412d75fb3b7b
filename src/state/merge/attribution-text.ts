import type {BodyOf} from '../../events/event.ts';
import type {Evidence, UnreadFiles, WhyUnread} from '../../events/finding.ts';
import type {CheckerRun, Looked} from '../../events/kinds/merge-event.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {counted, enumerated, withoutStop} from '../../lib/text/words.ts';
import type {Attribution, Part, RedSet, Verdict} from './attribution.ts';
import type {PartRun} from './merge.ts';

/** Returns sentences about the agents whose work fails a check; nothing while they are unknown. */
export const verdictText = (verdict: Verdict, target: string): string | undefined => {
	switch (verdict.kind) {
		case 'open':
			return undefined;
		case 'flaky':
			return 'The check failed once and passed once on the same result.';
		case 'target':
			return `${target} is red by itself: the check fails without any agent’s work.`;
		case 'unclear':
			return 'The result could not be checked a second time, so no agent is blamed for it.';
		case 'agents':
			return verdict.sets.map(setText).join(' ');
	}
};

/** Returns a sentence about a group of agents that breaks a check. */
export const setText = ({agents, isSure}: RedSet): string => {
	switch (agents.length) {
		case 1:
			return `${agents[0]} alone breaks it.`;
		case 2:
			return `${enumerated(agents)} together break it${isSure ? '; each alone is green' : ''}.`;
		default:
			return isSure
				? `${enumerated(agents)} break it only when all are merged; any two of them pass.`
				: `${enumerated(agents)} break it together; none of them was found to break it alone.`;
	}
};

/** Returns the name of a part: the agents whose work is in it. */
export const partName = (part: Part, everybody: Part, target: string): string => {
	if (part.length === 0) {
		return `${target} alone`;
	}

	return part.length === everybody.length ? 'everything once more' : part.join('+');
};

/** Returns a text about the running checks and how many may follow; nothing when all is known. */
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

/** Text about how a result was compared for breakages. */
export type LookedText = {
	readonly text: string;
	/** True if it was compared without findings. */
	readonly done: boolean;
};

/** Returns the text of a comparison: one without findings differs from one that did not run. */
export const lookedText = (looked: Looked, accepted: number): LookedText => {
	if (looked.outcome === 'failed') {
		return {done: false, text: `Not compared: ${looked.why}`};
	}

	const {merges, oracles, errors, unreadFiles = []} = looked;
	const found = accepted === 0 ? 'nothing breaks' : `nothing else breaks`;
	const compared =
		merges > 0
			? `Compared ${counted(merges, 'merge')}: ${found}, by reading${checkersText(oracles)}.`
			: oracles.length === 0
				? 'Nothing to compare: only one side changed anything.'
				: `Only one side changed anything, looked at${checkersText(oracles).replace(/^ and/, '')}.`;
	const unread = merges > 0 ? unreadText(unreadFiles) : undefined;
	const text = [compared, errorsText(errors), unread].filter(part => part !== undefined).join(' ');
	return {done: errors === undefined, text};
};

/** Returns the type errors of the result itself; they don't block, since the plan's check decides about them. */
const errorsText = (
	errors: Extract<Looked, {outcome: 'compared'}>['errors'],
): string | undefined => {
	if (errors === undefined) {
		return undefined;
	}

	const {shown, more} = errors;
	const others = more === 0 ? '' : `; and ${more} more`;
	return `The result alone has ${counted(shown.length + more, 'type error')}: ${shown.map(one => sanitize(withoutStop(one))).join('; ')}${others}.`;
};

/** Returns a checker's name and version; one that could not be started has no version. */
export const checkerName = ({name, version}: Pick<CheckerRun, 'name' | 'version'>): string =>
	`${name} ${version}`.trimEnd();

const checkersText = (oracles: readonly CheckerRun[]): string =>
	oracles.length === 0
		? ' alone; no type checker ran'
		: oracles
				.map(run =>
					run.failed === undefined
						? ` and by ${checkerName(run)} in ${(run.ms / 1000).toFixed(1)} s`
						: `; ${checkerName(run)} could not say: ${withoutStop(run.failed)}`,
				)
				.join('');

/** Returns a sentence about the files that only git compared, and why; `undefined` if all were read. */
export const unreadText = (unread: readonly UnreadFiles[]): string | undefined =>
	unread.length === 0 ? undefined : `Compared by git alone: ${unread.map(reasonText).join('; ')}.`;

/** Returns sentences about what a comparison did not read or check. */
export const lackingTexts = ({
	unread = [],
	unchecked = [],
	failed,
}: Pick<BodyOf<'work.compared'>, 'unread' | 'unchecked' | 'failed'>): readonly string[] => [
	...(failed === undefined ? [] : [`The newest work was not compared: ${failed}`]),
	...unchecked.map(({by, why}) => `Types not checked by ${by}: ${why}`),
	...[unreadText(unread) ?? []].flat(),
];

const reasonText = ({why, paths, more}: UnreadFiles): string =>
	`${paths.map(path => sanitize(path)).join(', ')}${more ? ' and others' : ''} (${reasons[why]})`;

const reasons: Readonly<Record<WhyUnread, string>> = {
	'no grammar': 'not in a language that is read',
	'not ours': 'vendored or generated',
	'too large': 'too large to read',
	'no text': 'no text',
	'in part': 'the parser had to skip some of it',
	'parser failed': 'the parser crashed',
	'parser took too long': 'the parser took too long',
	'too many files': 'too many files were changed',
};

/** Returns one side's evidence of a collision in one line: file, line number and text. */
export const evidenceText = (evidence: readonly Evidence[], side: Evidence['side']): string =>
	evidence
		.filter(one => one.side === side)
		.map(one => evidenceWords(one).join(' '))
		.join(', ');

/** Returns the place of a piece of evidence, whether it was removed, and its text. */
export const evidenceWords = ({path, line, text, removed}: Evidence): readonly string[] => [
	line === undefined ? path : `${path}:${line}`,
	...(removed ? ['(removed)'] : []),
	...(text === undefined ? [] : [text.trim()]),
];
