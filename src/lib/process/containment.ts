import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {platform} from 'node:os';
import {dirname} from 'node:path';
import {Failure} from '../failure.ts';
import type {SystemCause} from '../files/reading.ts';
import {programPath, requireDescriptors} from './find-program.ts';
import {mountsOf} from './process-table.ts';
import {endGroup, type ProcessIdentity} from './processes.ts';

/**
Keeps all processes of a command together, so that they end with it.

- `namespace`: a PID namespace; the kernel kills all its processes with the first one, and that one with this process. A command that a signal ends exits with 128 and the signal's number, as in a shell.
- `groups`: processes are found by process group and traces; what hides from that survives.
*/
export type Containment = {
	readonly level: 'namespace' | 'groups';
	/** For a person. */
	readonly why: string;
	/** Words before a command, programs by absolute paths, since a command's `PATH` may be another one. In a namespace the last word is `--`. */
	readonly prefix: readonly string[];
	/** Whether it can bind-mount folders. */
	readonly binds: boolean;
};

/** A bind mount. */
export type Bind = {readonly from: string; readonly to: string};

/** Returns a containment with bind mounts, where it supports them; a mount that fails is skipped. */
export const bound = (containment: Containment, binds: readonly Bind[]): Containment =>
	containment.binds ? {...containment, prefix: withBinds(containment.prefix, binds)} : containment;

const withBinds = (prefix: readonly string[], binds: readonly Bind[]): readonly string[] => [
	...prefix.slice(0, -1),
	...binds.flatMap(({from, to}) => [bindWord, from, to]),
	...prefix.slice(-1),
];

const bindWord = '--bind-try';

export const groupsContainment = (why: string): Containment => ({
	level: 'groups',
	why,
	prefix: [],
	binds: false,
});

/**
Finds the best containment that this machine allows, by trying each with a real command; one that changes less for the command comes first (`bwrap` drops root's capabilities).

@param wanted `groups` skips the trials
@throws `Failure` when no process can be started for want of descriptors.
*/
export const findContainment = async (wanted?: string): Promise<Containment> => {
	if (wanted === 'groups') {
		return groupsContainment('process namespaces are turned off');
	}

	if (platform() !== 'linux') {
		return groupsContainment('this system has no process namespaces');
	}

	for (const {name, prefix} of candidates(findTools())) {
		const found = (await tried(withBinds(prefix, [trialBind]))) ?? (await tried(prefix));
		if (found !== undefined) {
			return {level: 'namespace', why: `by ${name}`, prefix, binds: found.binds};
		}
	}

	return groupsContainment(
		'this machine allows no process namespace, neither by unshare nor by bwrap',
	);
};

/**
Whether a process is in a namespace of ours, or in one made inside of it.

`/proc` is mounted there under our name. A nested namespace has its own `/proc`, but inherits the mounts.
*/
export const holdsAgents = (pid: number): boolean =>
	mountsOf(pid).some(line => line.includes(` - proc ${mountName} `));

const mountName = 'delegate-tui-agents';

/** Ends a command and its processes: SIGTERM, then SIGKILL after `graceMs`. */
export const endThroughContainment = (
	{level}: Containment,
	leader: ProcessIdentity,
	graceMs: number,
): Promise<boolean> => endGroup(leader, {graceMs, polite: level === 'groups' ? 'all' : 'members'});

/**
The first process of a namespace is its init: it adopts orphans, and a polite signal doesn't reach it. A shell serves, which says nothing of its own and hands back the exit code. One other than bash drops what it can't name from the environment; bash itself must be kept from reading its files.

Where it can, it mounts the table of processes once more, under the name by which the namespace is known, and each folder that is to be seen in the place of another one.

Ids are counted from a number of chance: programs name files by them, and every agent would be process 2.
*/
const init = (mount: string | undefined, words: readonly string[] = []): readonly string[] => [
	...(existsSync('/bin/bash') ? ['/bin/bash', '--norc', '-p'] : ['/bin/sh']),
	'-c',
	`exec 3>&2 2>/dev/null
${mount === undefined ? '' : `${quoted(mount)} -t proc -o nosuid,nodev,noexec ${mountName} /proc`}
while [ "$1" = ${bindWord} ]; do
${mount === undefined ? '' : `${quoted(mount)} --bind "$2" "$3"`}
shift 3
done
shift
for range in 100 1; do echo $((300 + RANDOM * range)) > /proc/sys/kernel/ns_last_pid && break; done
${words.join(' ')} "$@" 2>&3 3>&-
exit $?`,
	'init',
	'--',
];

/** Where the programs are that make namespaces, as far as they are there. */
type Tools = Readonly<Record<'setpriv' | 'unshare' | 'mount' | 'bwrap', string | undefined>>;

const findTools = (): Tools => {
	const find = (name: string) => programPath(name, process.env.PATH);
	return {
		setpriv: find('setpriv'),
		unshare: find('unshare'),
		mount: find('mount'),
		bwrap: find('bwrap'),
	};
};

type Candidate = {readonly name: string; readonly prefix: readonly string[]};

const candidates = ({setpriv, unshare, mount, bwrap}: Tools): readonly Candidate[] => [
	...(setpriv === undefined || unshare === undefined ? [] : unshared(setpriv, unshare, mount)),
	...(bwrap === undefined ? [] : [wrapped(bwrap)]),
];

const unshared = (
	setpriv: string,
	unshare: string,
	mount: string | undefined,
): readonly Candidate[] => {
	const begin = [setpriv, '--pdeathsig', 'KILL', unshare];
	const end = ['--pid', '--fork', '--kill-child', '--mount-proc', '--'];
	const user = ['--user', '--map-current-user', '--keep-caps'];
	// Only the init needs the rights that come with a user namespace.
	const withoutRights = [quoted(setpriv), '--inh-caps=-all', '--ambient-caps=-all', '--'];
	return [
		{name: 'unshare', prefix: [...begin, ...end, ...init(mount)]},
		{
			name: 'unshare with a user namespace',
			prefix: [...begin, ...user, ...end, ...init(mount, withoutRights)],
		},
	];
};

const wrapped = (bwrap: string): Candidate => ({
	name: 'bwrap',
	prefix: [
		...[bwrap, '--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/'],
		...['--proc', '/proc', '--'],
	],
});

/** Quotes a word for the init's shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Two folders that exist wherever this runs. */
const trialBind: Bind = {from: dirname(import.meta.dirname), to: import.meta.dirname};

/** Checks inside of a containment: PID 1 is the parent, user, capabilities, folder and stdin are as outside; the exit code tells whether the bind mount worked. */
const script = `
while read -r name value; do [ "$name" = CapEff: ] && rights=$value; done < /proc/self/status
read -r wanted && [ "$wanted" = "$(id -u) $rights $PWD" ] && [ "$PPID" = 1 ] && [ -d /proc/$$ ] || exit 1
[ "$1" -ef "$2" ] && exit 77
exit 78`;

const rightsOf = (status: string): string => /^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? '';

/** One that asks for a password never ends. */
const patienceMs = 5000;

const tried = async (prefix: readonly string[]): Promise<{binds: boolean} | undefined> => {
	const [program = '', ...words] = prefix;
	const rights = rightsOf(readFileSync('/proc/self/status', 'utf8'));
	requireDescriptors(unstartable);
	const child = spawn(
		program,
		[...words, '/bin/sh', '-c', script, 'sh', trialBind.from, trialBind.to],
		{
			cwd: '/',
			env: process.env,
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
			timeout: patienceMs,
			killSignal: 'SIGKILL',
		},
	);
	child.stdin.on('error', () => {});
	child.stdin.end(`${process.getuid?.()} ${rights} /\n`);
	try {
		const [code] = await once(child, 'exit');
		return code === 77 || code === 78 ? {binds: code === 77} : undefined;
	} catch {
		return undefined;
	}
};

/** Without a trial nothing weaker may be used instead. */
const unstartable = ({cause, hint}: SystemCause): never => {
	throw new Failure(
		'missing',
		`What keeps an agent’s processes together can’t be tried: ${cause}.`,
		{
			hint,
		},
	);
};
