import {shortOid} from '../lib/text/words.ts';

/** Commands that `publish` would run, for a person to confirm. */
export type PushOffer = {
	readonly session: string;
	/** The merge that is pushed, and the first line of its message. */
	readonly commit: string;
	readonly subject: string;
	/** Local branch that is pushed. */
	readonly target: string;
	/** Name of the remote, and its URL as git resolves it. */
	readonly remote: string;
	readonly url: string;
	/** Name of the remote branch. */
	readonly branch: string;
	/** Number of commits, if known without asking the remote. */
	readonly commits?: number;
	/** Arguments of `git`. */
	readonly push: readonly string[];
	/** Command that opens a pull request, its program, and the file with its text. */
	readonly request?: {
		readonly program: 'gh' | 'glab';
		readonly command: string;
		readonly body: string;
	};
	/** True if a pull request was not requested, but could be opened as well. */
	readonly canRequest?: boolean;
	/** Each command in shell syntax. */
	readonly commands: readonly string[];
};

/** URL segments of a commit's page after the repository's path, by host. */
const pages: ReadonlyMap<string, string> = new Map([
	['github.com', 'commit'],
	['codeberg.org', 'commit'],
	['gitlab.com', '-/commit'],
	['bitbucket.org', 'commits'],
]);

/** Segment of a repository's path, which is no dot segment. */
const segment = String.raw`(?!\.\.?(?:/|$))[\w.~-]+`;

/** URL of a remote, with a port or none, or git's scp-like form. */
const remoteForm = new RegExp(
	String.raw`^(?:(?:https://|ssh://git@)([\w.]+)(?::\d+)?/|git@([\w.]+):/?)(${segment}(?:/${segment})*)$`,
);

/** Returns the URL of a pushed commit's page; `undefined` if the remote is on another host. */
export const commitPage = (url: string, commit: string): string | undefined => {
	const [, byUrl, byName, path] = remoteForm.exec(url.replace(/(?:\.git)?\/?$/, '')) ?? [];
	const host = byUrl ?? byName ?? '';
	const page = pages.get(host);
	return page === undefined ? undefined : `https://${host}/${path}/${page}/${commit}`;
};

/** Returns the question that follows the text of an offer. */
export const pushQuestion = ({request}: PushOffer): string =>
	request === undefined ? 'Push it?' : 'Push it, and open the pull request?';

/** Returns the facts about a push, one per line, with each command in full. */
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
