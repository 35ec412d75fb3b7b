import {shortOid} from '../lib/text/words.ts';

/** Commands that `publish` would run, for a person to confirm. */
export type PushOffer = {
	readonly session: string;
	/** The merge that goes along, and the first line of its message. */
	readonly commit: string;
	readonly subject: string;
	/** The branch that is pushed, by its name here. */
	readonly target: string;
	/** Name of the remote, and where git says that it leads. */
	readonly remote: string;
	readonly url: string;
	/** Name of the remote branch. */
	readonly branch: string;
	/** How many commits it brings, where that is known without asking the other side. */
	readonly commits?: number;
	/** Words behind `git`. */
	readonly push: readonly string[];
	/** Command that opens a pull request, its program, and the file with its text. */
	readonly request?: {
		readonly program: 'gh' | 'glab';
		readonly command: string;
		readonly body: string;
	};
	/** Whether a pull request could be opened as well, as nobody asked for one. */
	readonly canRequest?: boolean;
	/** Each command as a shell takes it. */
	readonly commands: readonly string[];
};

/** Returns what a person is asked once they have read that. */
export const pushQuestion = ({request}: PushOffer): string =>
	request === undefined ? 'Push it?' : 'Push it, and open the pull request?';

/** Says what a push would do, a fact a line, with each command word by word. */
export const pushText = ({
	commit,
	subject,
	url,
	commits,
	request,
	commands,
}: PushOffer): readonly string[] => [
	`The newest merge: ${shortOid(commit)} "${subject}"`,
	`${commits === undefined ? 'It goes' : commits === 1 ? 'One commit goes' : `${commits} commits go`} to ${url}, by your own git:`,
	...commands.map(command => `  ${command}`),
	...(request === undefined
		? []
		: [`The text of the pull request is in ${request.body}; change it there first if you like.`]),
];
