import type {Store} from '../../git/store.ts';
import type {Here} from '../here.ts';
import type {SessionRecord} from './read-sessions.ts';

/** Something that no session needs any more. */
export type Leftover = {
	readonly kind: 'worktree' | 'check' | 'socket' | 'snapshots';
	/** What it is, in words for a person. */
	readonly text: string;
	/** What it takes on the disk; 0 when that is not known beforehand. */
	readonly bytes: number;
	readonly verdict: {readonly kind: 'safe'} | {readonly kind: 'kept'; readonly why: string};
	/** Removes it after another look; fails with a `Failure` when it is not safe any more. */
	readonly remove: () => Promise<void>;
};

/** Where leftovers are looked for. */
export type Attic = {
	readonly here: Here;
	readonly store: Store;
	readonly sessions: readonly SessionRecord[];
	readonly now: Date;
};

/** A session whose journal was read. */
export type ReadSession = Extract<SessionRecord, {kind: 'read'}>;

/** Returns the sessions that have ended; of others nothing is ever left over. */
export const endedSessions = ({sessions}: Attic): readonly ReadSession[] =>
	sessions.filter(
		(session): session is ReadSession =>
			session.kind === 'read' && session.state.session?.ended !== undefined,
	);
