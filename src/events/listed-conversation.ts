export type ListedConversation = {
	/** The agent's name for it. */
	readonly id: string;
	readonly title: string;
	/** Time of its last message, as ISO 8601. */
	readonly updatedAt?: string;
};
