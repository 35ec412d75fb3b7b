import type {FollowedSession} from '../../client/store/last-session-store.ts';

/** Data of the page. */
export type PageView = {
	/** The person's name for the repository. */
	readonly project: string;
	readonly session: FollowedSession;
	/** The supervisor's git repository, for looking at work. */
	readonly store: string;
	/** True if items other than questions can be decided on the page. */
	readonly mayDecide: boolean;
	readonly now: string;
};

/** Returns the name of an element on the page, with the session, since ids of items and groups repeat in the next one. */
export const nameOnPage = ({session}: PageView, id: string | number): string =>
	`${session.state.session?.session ?? 'none'}-${id}`;
