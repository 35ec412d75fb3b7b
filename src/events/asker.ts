/** The process that asked for a person's decision, as the supervisor found out by itself. */
export type Asker = {
	/** The words that the program was started with; they tell whether it was a screen or a command. */
	readonly way: string;
	readonly pid: number;
	/** Its terminal; null when it has none. */
	readonly tty: string | null;
	/** The processes it comes from, nearest first: their ids and names. */
	readonly parents: readonly string[];
	/** Name of the token that it showed, by which a script decides for the person. */
	readonly token?: string;
};
