import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import type {Body} from '../../src/events/event.ts';
import {ifThere} from '../../src/lib/files/reading.ts';
import {type RepositoryFolder, sessionsOf} from '../../src/supervisor/folder.ts';
import {type Project, program} from '../helpers/project.ts';

/** What a command that starts a supervisor is given. */
export type Start = {
	/** The moment at which the supervisor dies. */
	readonly failpoint?: string;
	/** How many files it may have open. */
	readonly descriptors?: number;
};

/** How often a person starts over what could not begin. */
const maximumTries = 3;

/** How often to look, in milliseconds: nothing announces what a process that is not our child does. */
const lookMs = 30;

/**
Starts a session and goes away, so that nobody but the person's next command brings a supervisor back.

Takes the first of the starts, and the next ones where a session could not begin. Returns the session's id, and how often none had begun.
*/
export const startWhole = async (
	project: Project,
	{home, file, starts}: {readonly home: RepositoryFolder; readonly file: string; starts: Start[]},
): Promise<{readonly id: string; readonly failed: number}> => {
	let words = '';
	for (let failed = 0; failed < maximumTries; failed++) {
		words = await begin(project, home, file, starts.shift());
		const id = await begun(home);
		if (id !== undefined) {
			return {id, failed};
		}
	}

	throw new Error(`The session did not begin: ${words}`);
};

const begin = async (
	project: Project,
	home: RepositoryFolder,
	file: string,
	start: Start | undefined,
): Promise<string> => {
	const child = runCommand(project, ['run', file, '--headless', '--yes', '--json'], start);
	const ended = child.then(() => true);
	while ((await begun(home)) === undefined && !(await Promise.race([ended, wait(lookMs)]))) {
		// The journal says when.
	}

	child.kill('SIGKILL');
	const {stdout, stderr} = await child;
	return stdout + stderr;
};

/** Returns the session that has begun; a folder that a supervisor made before it died holds none. */
const begun = async (home: RepositoryFolder): Promise<string | undefined> => {
	const id = sessionsOf(home).at(-1);
	return id !== undefined && (await hasHappened(home.session(id).journal, 'session.started'))
		? id
		: undefined;
};

/** Whether an event of this kind is on disk, in a journal of one segment; one in which nothing began may be removed at any moment. */
export const hasHappened = async (journal: string, kind: Body['kind']): Promise<boolean> => {
	const events = await ifThere(readFile(join(journal, '000001.ndjson'), 'utf8'));
	return events?.includes(`"kind":"${kind}"`) === true;
};

/** Runs a command of the program; a supervisor that it starts is given the same. */
export const runCommand = (
	project: Project,
	words: readonly string[],
	{failpoint, descriptors}: Start = {},
) => {
	const limit = descriptors === undefined ? ':' : `ulimit -n ${descriptors}`;
	return execa('sh', ['-c', `${limit}; exec "$@"`, 'sh', process.execPath, program, ...words], {
		cwd: project.root,
		env: {
			...project.environment,
			...(failpoint === undefined ? {} : {DELEGATE_TUI_FAILPOINT: failpoint}),
		},
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
	});
};
