import {z} from 'zod';
import {isSame} from '../../lib/values.ts';

/** A person's choice for a hunk: one side, both in either order, or the base. */
export type HunkPick = {readonly take: 'left' | 'right' | 'base' | 'left-right' | 'right-left'};

/** The choice in one word. */
export type Take = HunkPick['take'];

/** A step in resolving a file by hand. */
export type Step =
	/** Hunks are counted from 0. */
	| {readonly do: 'pick'; readonly hunk: number; readonly pick: HunkPick}
	/** The file as a whole was changed, by an editor or another program; null when it was removed. */
	| {readonly do: 'rewrite'; readonly content: string | null}
	/** Takes the last step back that was not taken back yet. */
	| {readonly do: 'undo'};

/** How a file stands after all steps. */
export type Standing = {
	/** The blob in which the hunks are counted; `undefined` is what git made of it, null that there is no file. */
	readonly content: string | null | undefined;
	readonly picks: ReadonlyMap<number, HunkPick>;
	/** How many steps there are to take back. */
	readonly undoable: number;
};

/** Returns how a file stands after some steps; a step that leads nowhere changes nothing. */
export const standingAfter = (steps: readonly Step[]): Standing => {
	const kept: Exclude<Step, {do: 'undo'}>[] = [];
	for (const step of steps) {
		if (step.do === 'undo') {
			kept.pop();
		} else {
			kept.push(step);
		}
	}

	const rewritten = kept.findLastIndex(step => step.do === 'rewrite');
	const rewrite = kept[rewritten];
	return {
		content: rewrite?.do === 'rewrite' ? rewrite.content : undefined,
		picks: new Map(
			kept
				.slice(rewritten + 1)
				.flatMap(step => (step.do === 'pick' ? [[step.hunk, step.pick] as const] : [])),
		),
		undoable: kept.length,
	};
};

/** Returns which of so many hunks have no pick yet. */
export const unresolved = ({picks}: Standing, hunks: number): readonly number[] =>
	Array.from({length: hunks}, (_, hunk) => hunk).filter(hunk => !picks.has(hunk));

/**
Returns the steps that are new to whoever knows some already, or nothing when the two don't agree.

Whoever sends steps tells how many they had seen before them; some of these may have arrived already.
*/
export const newSteps = (
	known: readonly Step[],
	after: number,
	sent: readonly Step[],
): readonly Step[] | undefined => {
	const arrived = known.slice(after);
	const agree =
		after <= known.length &&
		arrived.slice(0, sent.length).every((step, index) => isSame(step, sent[index]));
	return agree ? sent.slice(arrived.length) : undefined;
};

/** A text of which a settled hunk is made. */
export type HunkPart = 'left' | 'base' | 'right';

/** Returns what a settled hunk is made of, in order. */
export const partsOf = (pick: HunkPick): readonly HunkPart[] => {
	switch (pick.take) {
		case 'left':
		case 'base':
		case 'right':
			return [pick.take];
		case 'left-right':
			return ['left', 'right'];
		case 'right-left':
			return ['right', 'left'];
	}
};

const pick = z.strictObject({
	do: z.literal('pick'),
	hunk: z.number().int().min(0),
	pick: z.strictObject({take: z.enum(['left', 'right', 'base', 'left-right', 'right-left'])}),
});
const undo = z.strictObject({do: z.literal('undo')});

/** A step as a person's screen sends it. */
export const sentStep = z.discriminatedUnion('do', [pick, undo]);

/** Any step. */
export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('do', [
	pick,
	z.strictObject({do: z.literal('rewrite'), content: z.string().nullable()}),
	undo,
]);
