import type {Store} from '../../../git/store/store.ts';
import type {Here} from '../../here.ts';
import type {SessionRecord} from '../sessions/read-sessions.ts';

/** Something that no session needs any more. */
export type Leftover = {
	readonly kind: 'worktree' | 'check' | 'compose' | 'snapshots';
	/** What it is, in words for a person. */
	readonly text: string;
	/** The session that it is of. */
	readonly session?: {readonly id: string; readonly endedAt: string};
	/** What it takes on the disk. */
	readonly bytes: number;
	readonly verdict: /** `first` says what is done with it before it goes. */
	{readonly kind: 'safe'; readonly first?: string} | {readonly kind: 'kept'; readonly why: string};
	/** Removes it after another look; fails with a `Failure` when it is not safe any more. */
	readonly remove: () => Promise<void>;
};

/** Where leftovers are looked for. */
export type LeftoverContext = {
	readonly here: Here;
	readonly store: Store;
	readonly sessions: readonly SessionRecord[];
	readonly now: Date;
	/** The session that alone is looked through. */
	readonly only?: string;
};

/** A session that has ended, by its journal. */
export type EndedSession = Extract<SessionRecord, {kind: 'read'}> & {readonly endedAt: string};

/** Returns the sessions that have ended; of others nothing is ever left over. */
export const endedSessions = ({sessions, only}: LeftoverContext): readonly EndedSession[] =>
	sessions.flatMap(session => {
		const ended = session.kind === 'read' ? session.state.session?.ended : undefined;
		return session.kind === 'read' && ended !== undefined && (only ?? session.id) === session.id
			? [{...session, endedAt: ended.at}]
			: [];
	});
