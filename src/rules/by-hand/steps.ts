import {z} from 'zod';
import type {Frozen} from '../../events/plan.ts';
import {isSame} from '../../lib/values.ts';

/** A step in resolving a file by hand. */
export type Step = Frozen<z.infer<typeof stepSchema>>;

/** A person's choice for a hunk: one side, both in either order, or the base. */
export type HunkPick = Extract<Step, {do: 'pick'}>['pick'];

/** A person's choice in one word. */
export type Take = HunkPick['take'];

/** State of a file after all steps. */
export type Standing = {
	/** Blob in which the hunks are counted; `undefined` for git's own result, null if there is no file. */
	readonly content: string | null | undefined;
	readonly picks: ReadonlyMap<number, HunkPick>;
	/** Number of steps that can be undone. */
	readonly undoable: number;
};

/** Returns the state of a file after some steps; an undo without a step to undo is ignored. */
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

/** Returns the hunks that have no pick yet, of `hunks` in all. */
export const unresolved = ({picks}: Standing, hunks: number): readonly number[] =>
	Array.from({length: hunks}, (_, hunk) => hunk).filter(hunk => !picks.has(hunk));

/**
Returns the steps that are missing in `known`, or nothing if the sender's steps contradict it.

The sender had seen the first `after` steps; some of those it sends may have arrived already.
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

/** A text that a resolved hunk contains. */
export type HunkPart = 'left' | 'base' | 'right';

/** Returns the texts that a resolved hunk contains, in order. */
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
	/** Counted from 0. */
	hunk: z.number().int().min(0),
	pick: z.strictObject({take: z.enum(['left', 'right', 'base', 'left-right', 'right-left'])}),
});

/** Undoes the last step that is not undone yet. */
const undo = z.strictObject({do: z.literal('undo')});

/** A step that a person's screen can send. */
export const sentStep = z.discriminatedUnion('do', [pick, undo]);

export const stepSchema = z.discriminatedUnion('do', [
	pick,
	/** The file was rewritten as a whole, by an editor or another program; null if it was removed. */
	z.strictObject({do: z.literal('rewrite'), content: z.string().nullable()}),
	undo,
]);
