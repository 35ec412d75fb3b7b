import type {GitSettingsSeen} from '../../events/git-settings.ts';
import {subjectOf} from '../../git/commit.ts';
import {findReversal, type Reversal} from '../../git/target/reversal.ts';
import {Failure} from '../../lib/failure.ts';
import {nothingMerged, whyNotUndo} from '../../rules/undo.ts';
import {areKnown} from '../../state/git-settings.ts';
import type {Landing} from '../../state/landing.ts';
import {seeSettings} from '../merging/git-settings.ts';
import {requireSession} from '../perform/prepare.ts';
import {namePaths} from '../show/name-paths.ts';
import type {World} from '../world.ts';

/** What an undo acts on: a session that runs, or one that has ended and was opened again for it. */
export type UndoGround = Pick<World, 'repository' | 'store' | 'session' | 'state' | 'tell' | 'now'>;

/** What `undo` would do now, for a person to agree to. */
export type UndoOffer = {
	readonly session: string;
	/** `redo` brings back what was taken back. */
	readonly turn: 'undo' | 'redo';
	/** The commit of the merge, and the first line of its message. */
	readonly merge: string;
	readonly subject: string;
	readonly agents: readonly string[];
	readonly target: string;
	/** `move`: the target goes to where it was before; `commit`: a commit on top of it takes the changes back. */
	readonly how: 'move' | 'commit';
	/** Where the target stands, and where it would go; null while that commit isn't made. */
	readonly from: string;
	readonly to: string | null;
	/** How many files change by it. */
	readonly files: number;
	/** What the person's git goes by, where that is not what the merge was approved with. */
	readonly gitSettings?: GitSettingsSeen;
};

/** How what happened last can be turned round. */
export type Way = Extract<Reversal, {kind: 'move' | 'commit'}>;

export type Landed = Exclude<Landing, {phase: 'none'}>;

/**
Finds out what an undo would do; nothing is changed by it.

@throws `Failure` of kind `refused` when there is nothing to take back, or it can't be taken back.
*/
export const findUndo = async (
	ground: UndoGround,
): Promise<{readonly offer: UndoOffer; readonly way: Way}> => {
	const {repository, store} = ground;
	const {target, ended} = requireSession(ground.state());
	const landing = requireLanded(ground);
	const {commit: merge, agents, last} = landing;
	// Agents of a session that lasts may have started from the merge already.
	const isBuiltOn = ended === undefined;
	const way = await findReversal(repository, store, {target, ...last, isBuiltOn});
	if (way.kind !== 'move' && way.kind !== 'commit') {
		throw impossible(landing, target, way);
	}

	const seen = await seeSettings(ground, ground.state());
	const offer: UndoOffer = {
		session: ground.session,
		turn: landing.phase === 'standing' ? 'undo' : 'redo',
		merge,
		subject: await subjectOf(store, merge),
		agents,
		target,
		how: way.kind,
		from: way.from,
		to: way.kind === 'move' ? way.to : null,
		files: way.files,
		...(areKnown(ground.state(), seen.digest) ? {} : {gitSettings: seen}),
	};
	return {offer, way};
};

/** Returns what became of the session's publication. */
const requireLanded = (ground: Pick<UndoGround, 'state'>): Landed => {
	const {landing} = ground.state();
	if (landing.phase === 'none') {
		throw refused(nothingMerged);
	}

	const why = whyNotUndo(ground.state());
	if (why !== undefined) {
		throw refused(why);
	}

	return landing;
};

const refused = (why: string): Failure =>
	new Failure('refused', why, {hint: 'delegate-tui log shows what happened'});

const impossible = (
	{phase, last}: Landed,
	target: string,
	why: Exclude<Reversal, Way>,
): Failure => {
	const what = phase === 'standing' ? 'the merge' : 'what took the merge back';
	const step = last.to.slice(0, 10);
	switch (why.kind) {
		case 'entangled':
			return new Failure(
				'refused',
				namePaths(`Later commits changed the same places as ${what} (${step}).`, why.paths),
				{hint: `take it back by hand: git revert ${step}`},
			);
		case 'lost':
			return new Failure('refused', `The commit before ${what} (${step}) is nowhere any more.`, {
				hint: 'delegate-tui doctor --clean lets go of what a session kept, some time after its end',
			});
		case 'gone':
			return new Failure(
				'refused',
				`${target} no longer holds ${what} (${step}); it was moved or rewritten since.`,
				{hint: `git reflog ${target} shows where it went`},
			);
		case 'nothing':
			return new Failure(
				'refused',
				`Nothing of ${what} (${step}) is left in ${target} to take back.`,
				{hint: `git log ${target} shows who took it back`},
			);
	}
};
