/**
What the person's git goes by: the files of its configuration, attributes, hooks and the like.

Digests only, since a file may hold a secret.
*/
export type GitSettings = {
	/** Of all of it together. */
	readonly digest: string;
	/** Of each file, by its path as a person knows it. */
	readonly parts: Readonly<Record<string, string>>;
};

/** What it goes by later in the session. */
export type GitSettingsSeen = {
	readonly digest: string;
	/** What came, went or changed since the session began, as a person calls it. */
	readonly changed: readonly string[];
};
