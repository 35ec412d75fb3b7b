import type {Store} from '../../../git/store/store.ts';
import type {Here} from '../../here.ts';
import type {SessionRecord} from '../sessions/read-sessions.ts';

/** A leftover that no session needs any more. */
export type Leftover = {
	readonly kind: 'worktree' | 'check' | 'compose' | 'snapshots';
	/** Description for a person. */
	readonly text: string;
	/** Session of the leftover. */
	readonly session?: {readonly id: string; readonly endedAt: string};
	/** Size on the disk. */
	readonly bytes: number;
	readonly verdict: /** `first` says what is done with it before it goes. */
	{readonly kind: 'safe'; readonly first?: string} | {readonly kind: 'kept'; readonly why: string};
	/** Removes it after another look; throws a `Failure` if it is no longer safe. */
	readonly remove: () => Promise<void>;
};

/** Places in which to look for leftovers. */
export type LeftoverContext = {
	readonly here: Here;
	readonly store: Store;
	readonly sessions: readonly SessionRecord[];
	readonly now: Date;
	/** The only session to look through. */
	readonly only?: string;
};

/** An ended session, according to its journal. */
export type EndedSession = Extract<SessionRecord, {kind: 'read'}> & {readonly endedAt: string};

/** Returns the ended sessions; other sessions have no leftovers. */
export const endedSessions = ({sessions, only}: LeftoverContext): readonly EndedSession[] =>
	sessions.flatMap(session => {
		const ended = session.kind === 'read' ? session.state.session?.ended : undefined;
		return session.kind === 'read' && ended !== undefined && (only ?? session.id) === session.id
			? [{...session, endedAt: ended.at}]
			: [];
	});
