/** A conversation as its agent lists it. */
export type ListedConversation = {
	/** The agent's own name for it. */
	readonly id: string;
	readonly title: string;
	/** When something was said in it last, as ISO 8601. */
	readonly updatedAt?: string;
};
