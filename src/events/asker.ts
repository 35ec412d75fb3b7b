/** The process that asked for a person's decision, as the supervisor identified it. */
export type Asker = {
	/** Command line of the program, which tells whether it was a screen or a command. */
	readonly way: string;
	readonly pid: number;
	/** Its terminal; null if it has none. */
	readonly tty: string | null;
	/** Its ancestors, nearest first: ids and names. */
	readonly parents: readonly string[];
	/** Name of the token that it presented, with which a script decides for the person. */
	readonly token?: string;
};
