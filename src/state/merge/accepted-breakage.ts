import type {AcceptedBreakage, Breakage} from '../../events/kinds/merge-event.ts';
import type {Resolution} from './merge.ts';

/** Returns whether a person lets a breakage be: the same finding between the same two, whose work is what it was. */
export const isAccepted = (
	resolutions: readonly Resolution[],
	{key, a, b}: Pick<Breakage, 'key' | 'a' | 'b'>,
): boolean =>
	resolutions.some(
		resolution =>
			resolution.choice === 'accept' &&
			resolution.key === key &&
			resolution.a.join() === a.join() &&
			resolution.b.join() === b.join(),
	);

/** Returns all that a person lets be, whether it was found again or nobody could look. */
export const acceptedIn = (resolutions: readonly Resolution[]): readonly AcceptedBreakage[] =>
	resolutions.flatMap(resolution =>
		resolution.choice === 'accept'
			? [{...resolution.found, path: resolution.path, a: resolution.a, b: resolution.b}]
			: [],
	);

/** Returns what the approval says of what a person let be, a sentence each. */
export const acceptedNotes = (accepted: readonly AcceptedBreakage[]): readonly string[] =>
	accepted.map(
		({a, b, summary, confirmed}) =>
			`Accepted although ${a.join('+')} and ${b.join('+')} break each other: ${summary}${confirmed === undefined ? '' : ` ${confirmed.by} says: ${confirmed.text}`}`,
	);
