/**
What the person's git goes by: configuration, attributes, hooks and the like, as far as they can start a program or change what is read or written.

Digests only, since a value may be a secret.
*/
export type GitSettings = {
	/** Of all of it together. */
	readonly digest: string;
	/** Of each part, by its name: the key of a setting, or the path of a file. */
	readonly parts: Readonly<Record<string, string>>;
};

/** What it goes by later in the session. */
export type GitSettingsSeen = {
	readonly digest: string;
	/** What came, went or changed since the session began, as a person calls it. */
	readonly changed: readonly string[];
};
