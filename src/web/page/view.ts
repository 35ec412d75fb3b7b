import type {FollowedSession} from '../../client/store/last-session-store.ts';

/** Everything that the page is made from. */
export type PageView = {
	/** What the person calls the repository. */
	readonly project: string;
	readonly session: FollowedSession;
	/** The supervisor's git repository, in which work can be looked at. */
	readonly store: string;
	/** Whether more than questions may be decided on the page. */
	readonly mayDecide: boolean;
	readonly now: string;
};

/** Returns the name of something on the page; ids of items and groups come again in the next session. */
export const nameOnPage = ({session}: PageView, id: string | number): string =>
	`${session.state.session?.session ?? 'none'}-${id}`;
