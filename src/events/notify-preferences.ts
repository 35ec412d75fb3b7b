/** When a person wants to be called away from what they do. */
export type NotifyPreferences = {
	/** What for, by kinds of items and `ended`; for everything where it is absent. */
	readonly kinds?: readonly string[];
	/** Only what is urgent calls between these, in minutes after midnight of the person's clock; it may go on behind midnight. */
	readonly quiet?: {readonly from: number; readonly to: number};
};

/** How the supervisor calls, which has no terminal. */
export type NotifySettings = NotifyPreferences & {readonly desktop: boolean};
