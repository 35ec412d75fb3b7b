import {existsSync, readFileSync} from 'node:fs';
import {platform} from 'node:os';
import {dirname} from 'node:path';
import {defined} from '../values.ts';
import {
	type Box,
	boxSign,
	boxWords,
	type FileSandbox,
	ownNetworkOption,
	realPath,
	systemMounts,
} from './box.ts';
import {programPath} from './find-program.ts';
import {findControlGroups} from './limits.ts';
import {mountsOf} from './process-table.ts';
import {endGroup, type ProcessIdentity} from './processes.ts';
import {seatbeltWords} from './seatbelt.ts';
import {outcomeOf} from './try-command.ts';
import {findSeatbelt} from './try-seatbelt.ts';

/**
Way to keep all processes of a command together, so that they end with it.

- `box`: a PID namespace that sees only some files.
- `namespace`: a PID namespace; the kernel kills all its processes with the first one, and that one with this process. A command that a signal ends exits with 128 plus the signal's number, as in a shell.
- `groups`: processes are found by process group and traces; one that avoids both survives.
*/
export type Containment = {
	readonly level: 'box' | 'namespace' | 'groups';
	/** Reason for the level, for a person. */
	readonly why: string;
	/** Command prefix, with absolute paths of programs, since a command's `PATH` may differ. In a namespace the last word is `--`. */
	readonly prefix: readonly string[];
	/** Command prefix that also gives the command its own loopback interface and no other network, if the machine allows that. */
	readonly ownNetwork?: readonly string[];
	/** True if it supports bind mounts. */
	readonly binds: boolean;
	/** All files that its processes see, in a box. */
	readonly box?: Box;
	/** Folder in which control groups can be created; see `limited`. */
	readonly controlGroups?: string;
	/** Program that makes boxes on this machine, or the reason why there is none. */
	readonly fileSandbox: FileSandbox;
};

/** Returns a containment whose processes see only a box. */
export const inBox = (
	containment: Containment,
	{program, by}: Extract<FileSandbox, {program: string}>,
	{
		box,
		variables,
		network,
		isOurs = false,
	}: {
		readonly box: Box;
		readonly variables: Readonly<Record<string, string>>;
		/** True for a program of ours; see `boxWords`. */
		readonly isOurs?: boolean;
		/** Access to other machines: none, or only through a proxy that listens at a socket in the box. */
		readonly network?: 'off' | {readonly proxy: string};
	},
): Containment => {
	const relay = typeof network === 'object' ? relayed(network.proxy) : [];
	if (by === 'Seatbelt') {
		const words = seatbeltWords(program, box, {variables, isOffline: network !== undefined});
		return {...containment, box, prefix: [...words, ...relay], binds: false};
	}

	const ownNetwork = boxWords(program, box, {variables, ownNetwork: true, isOurs});
	const prefix = ownNetwork.filter(word => network !== undefined || word !== ownNetworkOption);
	return {
		...containment,
		level: 'box',
		box,
		prefix: [...prefix, ...relay],
		ownNetwork,
		binds: false,
	};
};

/** Returns a command prefix that forwards a loopback port to a proxy's socket: programs can only use proxies with ports. */
const relayed = (socket: string): readonly string[] => [
	...['/bin/bash', '--norc', '-p', '-c', relaying, process.execPath, relay, socket],
];

const relaying = `exec 3< <(exec env RELAYED_TO="$2" COMMAND=$$ "$0" -e "$1" < /dev/null 2> /dev/null)
read -r port <&3 || exit
exec 3<&-
export http_proxy="http://127.0.0.1:$port" no_proxy=localhost,127.0.0.1,::1 NODE_USE_ENV_PROXY=1
export https_proxy=$http_proxy HTTP_PROXY=$http_proxy HTTPS_PROXY=$http_proxy NO_PROXY=$no_proxy
shift 2
exec "$@"`;

/** The relay polls for the end of the command, since it may not be killed with it. */
const relay = `
const {connect, createServer} = require('node:net');
const server = createServer(client => {
	const proxy = connect(process.env.RELAYED_TO);
	client.pipe(proxy).pipe(client);
	client.on('error', () => proxy.destroy());
	proxy.on('error', () => client.destroy());
}).listen(0, '127.0.0.1', () => require('node:fs').writeSync(1, server.address().port + '\\n'));
setInterval(() => {
	try {
		process.kill(process.env.COMMAND, 0);
	} catch {
		process.kill(process.pid);
	}
}, 1000);`;

/** A bind mount. */
export type Bind = {readonly from: string; readonly to: string};

/** Returns a containment with bind mounts, if it supports them; a mount that fails is skipped. */
export const bound = (containment: Containment, binds: readonly Bind[]): Containment => {
	const {prefix, ownNetwork} = containment;
	return containment.binds
		? {
				...containment,
				prefix: withBinds(prefix, binds),
				...defined({ownNetwork: ownNetwork && withBinds(ownNetwork, binds)}),
			}
		: containment;
};

const withBinds = (prefix: readonly string[], binds: readonly Bind[]): readonly string[] => [
	...prefix.slice(0, -1),
	...binds.flatMap(({from, to}) => [bindWord, from, to]),
	...prefix.slice(-1),
];

const bindWord = '--bind-try';

export const groupsContainment = (
	why: string,
	fileSandbox: FileSandbox = {missing: 'it is turned off'},
): Containment => ({level: 'groups', why, prefix: [], binds: false, fileSandbox});

/**
Finds the best containment that this machine allows, by trying each with a real command; those that change less for the command come first (`bwrap` drops root's capabilities).

@param wanted Upper limit of the trials: `groups` skips all, `namespace` those of boxes
@throws `Failure` when no process can be started because file descriptors are exhausted
*/
export const findContainment = async (wanted?: string): Promise<Containment> => {
	if (wanted === 'groups') {
		return groupsContainment('process namespaces are turned off');
	}

	if (platform() !== 'linux') {
		const fileSandbox =
			platform() === 'darwin' && wanted !== 'namespace'
				? await findSeatbelt(['git', '--version'])
				: {missing: 'agents can’t be confined on this system'};
		return groupsContainment('this system has no process namespaces', fileSandbox);
	}

	const tools = findTools();
	const [fileSandbox, found, controlGroups] = await Promise.all([
		wanted === 'namespace' ? {missing: 'it is turned off'} : findFileSandbox(tools.bwrap),
		findNamespace(tools),
		findControlGroups(),
	]);
	const containment =
		found === undefined
			? groupsContainment(
					'this machine allows no process namespace, neither by unshare nor by bwrap',
					fileSandbox,
				)
			: {...found, fileSandbox};
	return {...containment, ...defined({controlGroups})};
};

const findNamespace = async (
	tools: Tools,
): Promise<Omit<Containment, 'fileSandbox'> | undefined> => {
	for (const {name, prefix, ownNetwork} of candidates(tools)) {
		const [found, apart] = await Promise.all([
			tried(withBinds(prefix, [trialBind])).then(bind => bind ?? tried(prefix)),
			ownNetwork && tried(ownNetwork, 'network'),
		]);
		if (found !== undefined) {
			return {
				...{level: 'namespace', why: `by ${name}`, prefix, binds: found.binds},
				...(apart === undefined ? {} : defined({ownNetwork})),
			};
		}
	}

	return undefined;
};

/** Tries to break out of a box, and returns the sandbox if that failed. */
const findFileSandbox = async (bwrap: string | undefined): Promise<FileSandbox> => {
	if (bwrap === undefined) {
		return {missing: 'bubblewrap is not installed', hint: 'sudo apt install bubblewrap'};
	}

	const trial = (box: Box) =>
		outcomeOf([...boxWords(bwrap, [...systemMounts(), ...box]), '/bin/sh', '-c', tryingOut]);
	const own = import.meta.dirname;
	const closed = {path: '/tmp/closed', as: 'closed', from: realPath(own) ?? own} as const;
	if ((await trial([closed])).code === 77) {
		return {program: bwrap, by: 'bubblewrap'};
	}

	const {code, said} = await trial([]);
	if (code === 77 || code === 78) {
		return {program: bwrap, by: 'bubblewrap', closesNothing: true};
	}

	const [line = 'paths that it hides can still be reached'] = said.split('\n').filter(Boolean);
	return {missing: `bubblewrap can’t do it here (${line.trim()})`, ...defined({hint: remedy()})};
};

/** Tries to write beside and over visible files; succeeds only if neither is possible. */
const tryingOut = `[ "$PPID" = 1 ] || exit 1
for path in /delegate-tui-trial /usr/delegate-tui-trial ${boxSign}/trial; do
	(: > "$path") 2>/dev/null && exit 1
done
: > /tmp/delegate-tui-trial || exit 1
[ -d /tmp/closed ] && [ ! -w /tmp/closed ] || exit 78
exit 77`;

/** Returns the kernel setting that may forbid user namespaces, and the command that changes it. */
const remedy = (): string | undefined => {
	const setting = [
		['kernel.apparmor_restrict_unprivileged_userns', '1', '0'],
		['kernel.unprivileged_userns_clone', '0', '1'],
		['user.max_user_namespaces', '0', '10000'],
	].find(([name = '', bad]) => {
		try {
			return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim() === bad;
		} catch {
			return false;
		}
	});
	return setting && `sudo sysctl ${setting[0]}=${setting[2]}`;
};

/**
Returns whether a process is in a namespace or a box of ours, or in a nested one.

`/proc` is mounted there under our name. A nested namespace has its own `/proc`, but inherits the mounts.
*/
export const holdsAgents = (pid: number): boolean =>
	mountsOf(pid).some(
		line => line.includes(` - proc ${mountName} `) || line.includes(` ${boxSign} `),
	);

const mountName = 'delegate-tui-agents';

/** Ends a command and its processes: SIGTERM, then SIGKILL after `graceMs`. */
export const endThroughContainment = (
	{level}: Containment,
	leader: ProcessIdentity,
	graceMs: number,
): Promise<boolean> =>
	endGroup(leader, {graceMs, polite: level === 'groups' ? 'all' : 'members', isChild: true});

/**
Returns the init command of a namespace: it adopts orphans, and doesn't get polite signals. A shell suffices, which prints nothing and passes on the exit code. Other shells than bash drop variables with invalid names from the environment; bash must be kept from reading its startup files.

If possible, it mounts `/proc` again, under the name that identifies the namespace, and the bind mounts.

Process ids start at a random number: programs use them in file names, and every agent would be process 2.
*/
const init = (
	mount: string | undefined,
	words: readonly string[] = [],
	ip?: string,
): readonly string[] => [
	...(existsSync('/bin/bash') ? ['/bin/bash', '--norc', '-p'] : ['/bin/sh']),
	'-c',
	`exec 3>&2 2>/dev/null
${ip === undefined ? '' : `${quoted(ip)} link set lo up`}
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

/** Paths of the programs that create namespaces, as far as they exist. */
type Tools = Readonly<Record<'setpriv' | 'unshare' | 'mount' | 'ip' | 'bwrap', string | undefined>>;

const findTools = (): Tools => {
	const find = (name: string) => programPath(name, process.env.PATH);
	return {
		setpriv: find('setpriv'),
		unshare: find('unshare'),
		mount: find('mount'),
		// It is often not in users' PATH.
		ip: find('ip') ?? ['/sbin/ip', '/usr/sbin/ip'].find(existsSync),
		bwrap: find('bwrap'),
	};
};

type Candidate = {readonly name: string} & Pick<Containment, 'prefix' | 'ownNetwork'>;

const candidates = ({setpriv, unshare, mount, ip, bwrap}: Tools): readonly Candidate[] => [
	...(setpriv === undefined || unshare === undefined ? [] : unshared(setpriv, unshare, mount, ip)),
	...(bwrap === undefined ? [] : [wrapped(bwrap)]),
];

const unshared = (
	setpriv: string,
	unshare: string,
	mount: string | undefined,
	ip: string | undefined,
): readonly Candidate[] => {
	const begin = [setpriv, '--pdeathsig', 'KILL', unshare];
	const end = (network: boolean) => [
		...['--pid', '--fork', '--kill-child', '--mount-proc'],
		...(network ? ['--net', '--'] : ['--']),
	];
	const both = (user: readonly string[], words: readonly string[]): Omit<Candidate, 'name'> => ({
		prefix: [...begin, ...user, ...end(false), ...init(mount, words)],
		...(ip === undefined
			? {}
			: {ownNetwork: [...begin, ...user, ...end(true), ...init(mount, words, ip)]}),
	});
	const user = ['--user', '--map-current-user', '--keep-caps'];
	// Only the init process needs the capabilities that come with a user namespace.
	const withoutRights = [quoted(setpriv), '--inh-caps=-all', '--ambient-caps=-all', '--'];
	return [
		{name: 'unshare', ...both([], [])},
		{name: 'unshare with a user namespace', ...both(user, withoutRights)},
	];
};

const wrapped = (bwrap: string): Candidate => {
	const words = ['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc'];
	return {
		name: 'bwrap',
		prefix: [bwrap, ...words, '--'],
		ownNetwork: [bwrap, '--unshare-net', ...words, '--'],
	};
};

/** Quotes a word for the init's shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Two folders that exist wherever this runs. */
const trialBind: Bind = {from: dirname(import.meta.dirname), to: import.meta.dirname};

/** Checks a containment from inside: PID 1 is the parent; user, capabilities, folder and stdin are as outside; with a third word the loopback is up. The exit code tells whether the bind mount worked. */
const script = `
while read -r name value; do [ "$name" = CapEff: ] && rights=$value; done < /proc/self/status
read -r wanted && [ "$wanted" = "$(id -u) $rights $PWD" ] && [ "$PPID" = 1 ] && [ -d /proc/$$ ] || exit 1
[ -z "$3" ] || grep -q 127.0.0.1 /proc/net/fib_trie || exit 1
[ "$1" -ef "$2" ] && exit 77
exit 78`;

const rightsOf = (status: string): string => /^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? '';

const tried = async (
	prefix: readonly string[],
	what: 'network' | '' = '',
): Promise<{binds: boolean} | undefined> => {
	const rights = rightsOf(readFileSync('/proc/self/status', 'utf8'));
	const command = ['/bin/sh', '-c', script, 'sh', trialBind.from, trialBind.to, what];
	const input = `${process.getuid?.()} ${rights} /\n`;
	const {code} = await outcomeOf([...prefix, ...command], {input});
	return code === 77 || code === 78 ? {binds: code === 77} : undefined;
};
