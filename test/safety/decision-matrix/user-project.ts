import {execFileSync, spawnSync} from 'node:child_process';
import {dirname} from 'node:path';
import {execa} from 'execa';
import {makeProject, type Project, program, startIn} from '../../helpers/project.ts';
import type {Files} from '../../helpers/repository.ts';

/** Somebody who uses the program and whose agents do. */
export type User = {
	readonly name: string;
	/** Words that make a command theirs. */
	readonly prefix: readonly string[];
	/** Gives a file or folder to them. */
	readonly own: (path: string) => void;
	/** How they make a namespace of processes inside of an agent's. */
	readonly nested: readonly string[];
	/** Whether their agents ask with the mark of their session, or in a cleared environment below it. */
	readonly marks: readonly ('kept' | 'cleared')[];
};

const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const withUser = [...unshare, '--user', '--map-current-user'];
const isRoot = process.geteuid?.() === 0;

const self: User = {
	name: isRoot ? 'root' : 'self',
	prefix: [],
	own: () => {},
	nested: isRoot ? unshare : withUser,
	marks: ['kept', 'cleared'],
};

const number = 1234;
const other: User = {
	name: `${number}`,
	prefix: ['setpriv', '--reuid', `${number}`, '--regid', `${number}`, '--clear-groups', '--'],
	own: path => void execFileSync('chown', ['-R', `${number}:${number}`, path]),
	nested: withUser,
	marks: ['cleared'],
};

const can = (user: User): boolean => {
	const [command = '', ...words] = [...user.prefix, process.execPath, program, '--version'];
	return spawnSync(command, words).status === 0;
};

/** Whoever runs the tests and, where that is root, somebody who is not. */
export const users: readonly User[] = [self, ...(isRoot && can(other) ? [other] : [])];

/** Returns how agents of a user are held together; nothing where this machine has no namespaces. */
export const layerOf = async ({prefix}: User): Promise<readonly string[]> => {
	const module = new URL('../../../src/lib/process/containment.ts', import.meta.url).href;
	const script = `
		const {findContainment} = await import(${JSON.stringify(module)});
		console.log(JSON.stringify((await findContainment()).prefix));`;
	const [command = '', ...words] = [...prefix, process.execPath];
	const options = ['--no-warnings', '--input-type=module', '--eval', script];
	return JSON.parse((await execa(command, [...words, ...options])).stdout);
};

/** A project of a user, and a way to kill whatever commands of theirs still run. */
export type UserProject = Project & {readonly killCommands: () => void};

export type UserProjectOptions = {
	readonly files?: Files;
	/** Added to the environment of the program. */
	readonly env?: Readonly<Record<string, string>>;
};

/** Makes a repository and a home that are a user's, who runs the program there. */
export const makeUserProject = (
	user: User,
	{files, env: more = {}}: UserProjectOptions = {},
): UserProject => {
	const made = makeProject(files);
	const project = {...made, environment: {...made.environment, ...more}};
	const {root, aside, environment: env} = project;
	for (const path of [dirname(root), aside, env.HOME, env.TMPDIR]) {
		user.own(path ?? '');
	}

	const started: {readonly kill: () => void}[] = [];
	const start: Project['start'] = (...words) => {
		const running = startIn(project, [...user.prefix, process.execPath, program, ...words]);
		started.push(running);
		return running;
	};

	return {
		...project,
		start,
		run: (...words) => start(...words).ended,
		killCommands: () => {
			for (const {kill} of started) {
				kill();
			}
		},
	};
};
