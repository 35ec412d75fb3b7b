/** A move of the target from one commit to another. */
export type Step = {readonly from: string; readonly to: string};

/** A move of the target that was about to begin when it was written. */
export type Intent = Step & {readonly since: string};

/**
Whether the last publication that brought something stands or was taken back.

Both have their events after the session's end, too: this is all of a state that can change then.
*/
export type Publication =
	| {readonly phase: 'none'}
	| {
			readonly phase: 'standing' | 'undone';
			/** The commit that was published first; people know the merge by it, wherever the target stands. */
			readonly commit: string;
			readonly agents: readonly string[];
			/** The move of the target that led here: what the next undo turns round. */
			readonly last: Step;
			/** That undo, while it is under way. */
			readonly intent?: Intent;
	  };

/** What became of a publication that brought something. */
export type PublishedMerge = Exclude<Publication, {phase: 'none'}>;

/** Returns the undo that is under way, if one is. */
export const undoOf = (publication: Publication): Intent | undefined =>
	publication.phase === 'none' ? undefined : publication.intent;

/** Whether a commit is where the undo that is under way leads to. */
export const isUndoTo = (publication: Publication, commit: string): publication is PublishedMerge =>
	undoOf(publication)?.to === commit;
