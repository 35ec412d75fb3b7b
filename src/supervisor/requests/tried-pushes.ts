import {rm, writeFile} from 'node:fs/promises';
import {openRegularFile} from '../../lib/files/reading.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {afterGlobal} from './remote-command.ts';

/**
Returns what makes every git that an agent starts tell in a file what it is asked to do and how it ends.

What a turn that was lost had left there is not this one's. Command lines hold passwords, so nobody else may read it; where no such file can be made, none is written.
*/
export const traced = async (trace: string): Promise<Readonly<Record<string, string>>> => {
	try {
		await rm(trace, {recursive: true, force: true});
		await writeFile(trace, '', {flag: 'wx', mode: 0o600});
	} catch {
		return {};
	}

	return {
		GIT_TRACE2_EVENT: trace,
		GIT_TRACE2_EVENT_BRIEF: '1',
		GIT_TRACE2_EVENT_NESTING: '1',
	};
};

/**
Returns whether one of them was a push to somewhere else that came to nothing, and removes the file; never fails.

No hook could tell: git runs those of a push once it has reached the other side. The agent writes this file, so it is proof of nothing but that somebody tried.
*/
export const triedToPush = async (trace: string): Promise<boolean> => {
	try {
		await using file = await openRegularFile(trace);
		return await reportedFailedPush(file.readLines({end: mostBytes, autoClose: false}));
	} catch {
		// Nothing, or something else, is in its place, or it can't be read: whoever did that has nothing to tell.
		return false;
	} finally {
		await forgetTrace(trace);
	}
};

/** Removes what a turn left there that is over. */
export const forgetTrace = (trace: string): Promise<void> =>
	rm(trace, {recursive: true, force: true}).catch(() => {});

const reportedFailedPush = async (lines: AsyncIterable<string>): Promise<boolean> => {
	const commands = new Map<unknown, unknown>();
	const pushes = new Set<unknown>();
	let failed = false;
	for await (const line of lines) {
		const {event, sid, argv, name, code} = (isOfUse(line) && readJsonObject(line)) || {};
		if (event === 'start') {
			commands.set(sid, argv);
		} else if (event === 'cmd_name' && name === 'push' && reachesOut(commands.get(sid))) {
			pushes.add(sid);
		} else if (event === 'exit' && code !== 0) {
			failed ||= pushes.has(sid);
		}
	}

	return failed;
};

/** So much of it is read; an hour of work comes to some megabytes. */
const mostBytes = 64 * 2 ** 20;

const isOfUse = (line: string): boolean => /"event":"(?:start|cmd_name|exit)"/.test(line);

/** Options of `git push` that take the next word as their value. */
const withValue: readonly string[] = [
	'-o',
	'--push-option',
	'--receive-pack',
	'--exec',
	'--recurse-submodules',
];

/**
Returns whether a git that pushes was to reach beyond this machine, by the words that it was started with.

A project's tests push to a repository that they have just made, and that is nobody's affair. Where a remote leads that has a name can't be known, so it counts, as does what can't be read.
*/
const reachesOut = (argv: unknown): boolean => {
	if (!isWords(argv)) {
		return true;
	}

	const [program = '', ...rest] = argv;
	const [, ...words] = program.endsWith('git-push') ? ['push', ...rest] : afterGlobal(rest);
	const goal = goalOf(words);
	return !words.includes('-h') && (goal === undefined || !isOnDisk(goal));
};

const isWords = (argv: unknown): argv is readonly string[] =>
	Array.isArray(argv) && argv.every(word => typeof word === 'string');

/** Returns where a push is to go, by what follows the word `push`; nothing where it is left to git's settings. */
const goalOf = (words: readonly string[]): string | undefined => {
	let named: string | undefined;
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (word === '--') {
			return words[at + 1] ?? named;
		}

		if (!word.startsWith('-')) {
			return word;
		}

		if (word === '--repo') {
			at++;
			named = words[at];
		} else if (word.startsWith('--repo=')) {
			named = word.slice('--repo='.length);
		} else if (withValue.includes(word)) {
			at++;
		}
	}

	return named;
};

/** A name with a slash in it may be a remote's, so only what can be nothing but a path is one. */
const isOnDisk = (goal: string): boolean => /^(?:file:\/\/|\.{0,2}\/|\.{1,2}$)/.test(goal);
