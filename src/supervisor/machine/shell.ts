import {spawn} from 'node:child_process';
import {appendFile, type FileHandle, open, rm} from 'node:fs/promises';
import {connect, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {fencedEnvironment} from '../../agents/spawn-agent.ts';
import type {CommandRun, PortUse} from '../../events/kinds/merge-event.ts';
import type {Plan} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {type SystemCause, textInFile} from '../../lib/files/reading.ts';
import {type Containment, endThroughContainment} from '../../lib/process/containment.ts';
import {requireDescriptors} from '../../lib/process/find-program.ts';
import type {Freezer} from '../../lib/process/freezer.ts';
import {killStragglers, type Survivor} from '../../lib/process/kill-stragglers.ts';
import {watchPorts} from '../../lib/process/port-watch.ts';
import {identityOf} from '../../lib/process/processes.ts';
import {reportRefusedHost} from '../requests/denied-access.ts';
import {sessionMark, type World} from '../world.ts';
import {inWorktree} from './sandbox.ts';
import {slotEnvironment} from './slots.ts';
import {reportSurvivors} from './survivors.ts';

type ShellOutcome = {
	readonly ok: boolean;
	readonly commands: readonly CommandRun[];
	/** Leftover processes that could not be ended. */
	readonly survivors: readonly Survivor[];
};

export type CheckNetwork = {
	/** True if it gets a loopback interface of its own, where the machine can do that. */
	readonly own: boolean;
	/** Ports of programs that the person runs for the check. */
	readonly needs: readonly number[];
	/** Folder for sockets, with a short path. */
	readonly folder: string;
};

/** Returns the network access of a plan's checks. */
export const networkOf = ({
	verifyNetwork,
	verifyNeeds = [],
}: Plan): Omit<CheckNetwork, 'folder'> => ({
	own: verifyNetwork !== 'host',
	needs: verifyNeeds,
});

type ShellContext = {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly containment: Containment;
	/** Freezer that stops the processes while the disk is full. */
	readonly freezer?: Freezer;
	/** Ends the running command and starts no more. */
	readonly signal?: AbortSignal;
	/** Environment variable that only processes of these commands have; `env` contains it as well. */
	readonly mark: string;
	/** Network access of a check; without it the network is unrestricted. */
	readonly network?: CheckNetwork;
};

/**
Runs shell commands one after the other until one fails, and appends their output to a file.

A command is over when its shell exits; its remaining processes are ended, so that they can't change the folder later.

@throws the signal's reason after an abort, once all processes have ended.
*/
export const runCommands = async (
	commands: readonly string[],
	{log, ...context}: ShellContext & {readonly log: string},
): Promise<ShellOutcome> => {
	const done: CommandRun[] = [];
	const survivors: Survivor[] = [];
	await using file = await open(log, 'a');
	for (const command of commands) {
		context.signal?.throwIfAborted();
		await file.appendFile(`$ ${command}\n`);
		const {code, left, ports = []} = await runChecked(command, context, file);
		context.signal?.throwIfAborted();
		done.push({command, code, ...(ports.length === 0 ? {} : {ports})});
		survivors.push(...left);
		if (code !== 0) {
			return {ok: false, commands: done, survivors};
		}
	}

	return {ok: true, commands: done, survivors};
};

/** Time between SIGTERM and SIGKILL for a command's remaining processes, in milliseconds. */
const graceMs = 2000;

type Ended = {
	readonly code: number | null;
	readonly left: readonly Survivor[];
	readonly ports?: readonly PortUse[];
};

/** Commands that failed because they need another machine; they needn't fail again. */
const outward = new Set<string>();

/**
Runs a command. A check gets a loopback interface of its own if possible: no other program listens on its ports then.

If a check tried to reach another machine, its failure says nothing about the tree, so it runs again with this machine's network. With that network, its connections to other programs are recorded.
*/
const runChecked = async (
	command: string,
	context: ShellContext,
	file: FileHandle,
): Promise<Ended> => {
	const {network, containment, mark, cwd} = context;
	if (network === undefined) {
		return runCommand(command, context, file);
	}

	const {ownNetwork} = containment;
	if (network.own && ownNetwork !== undefined && !outward.has(command)) {
		const apart = {...context, containment: {...containment, prefix: ownNetwork}};
		const {ended, traffic} = await runApart(command, apart, network, file);
		if (ended.code === 0 || traffic !== 'outside') {
			await (ended.code !== 0 && traffic === 'refused'
				? file.appendFile(ownNetworkNote)
				: undefined);
			return ended;
		}

		outward.add(command);
		await file.appendFile(
			`(It tried to reach another machine, so it runs again with this machine’s network.)\n$ ${command}\n`,
		);
	}

	const watch = await watchPorts({mark, folder: cwd, allowed: network.needs});
	const ended = await runCommand(command, context, file);
	return {...ended, ports: await watch.stop()};
};

const ownNetworkNote =
	'(This ran with a loopback of its own. To let it reach programs that you run on this machine, set verify_needs: [PORT] in the plan, or verify_network: host.)\n';

/** Runs a command with a loopback interface of its own, and returns whether it tried to reach another machine, or a port without a listener. */
const runApart = async (
	command: string,
	context: ShellContext,
	{folder, needs}: CheckNetwork,
	file: FileHandle,
): Promise<{readonly ended: Ended; readonly traffic: 'outside' | 'refused' | 'none'}> => {
	const counts = join(folder, 'network');
	const servers = await Promise.all(needs.map(port => serveOutside(port, join(folder, `${port}`))));
	try {
		const words =
			needs.length === 0
				? ['/bin/sh', '-c', countingShell, counts, command]
				: [
						...['/bin/sh', '-c', counting, counts],
						...[process.execPath, '-e', forwarder, folder, needs.join(','), command],
					];
		const ended = await runCommand(command, context, file, words);
		return {ended, traffic: trafficIn(textInFile(counts, mostCounts))};
	} finally {
		await Promise.all(servers.map(server => server[Symbol.asyncDispose]()));
		await rm(counts, {force: true});
	}
};

/** Maximum length of network counters, in bytes. */
const mostCounts = 64 * 1024;

/** Runs a command in a subshell, and saves the kernel's network counters if it fails. */
const counting =
	'("$@"); code=$?; [ "$code" = 0 ] || cat /proc/net/snmp /proc/net/snmp6 >"$0" 2>/dev/null; exit "$code"';
const countingShell =
	'(delegate_command=$1; shift; eval "$delegate_command"); code=$?; [ "$code" = 0 ] || cat /proc/net/snmp /proc/net/snmp6 >"$0" 2>/dev/null; exit "$code"';

/** Returns the kind of traffic. DNS queries use UDP; if the machine's resolver listens on loopback, they count as UDP without a listener. */
const trafficIn = (counts: string): 'outside' | 'refused' | 'none' => {
	const isCounted = (pattern: RegExp): boolean => Number(pattern.exec(counts)?.[1] ?? 0) > 0;
	const [names = '', values = ''] = counts.split('\n');
	const noRoutes = values.split(' ')[names.split(' ').indexOf('OutNoRoutes')];
	if (
		Number(noRoutes) > 0 ||
		isCounted(/^Ip6OutNoRoutes\s+(\d+)/m) ||
		isCounted(/^Udp: \d+ (\d+)/m)
	) {
		return 'outside';
	}

	return isCounted(/^Tcp: (?:-?\d+ ){6}(\d+)/m) ? 'refused' : 'none';
};

/** Forwards connections to a Unix socket in a folder to a port of this machine. */
const serveOutside = async (port: number, path: string): Promise<Server> => {
	const server = createServer(inside => {
		const outside = connect(port, '127.0.0.1');
		inside.pipe(outside).pipe(inside);
		inside.on('error', () => outside.destroy());
		outside.on('error', () => inside.destroy());
	});
	await rm(path, {force: true});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(path, resolve);
	});
	return server;
};

/** Script for the command's network: it listens on the ports, then starts the command. */
const forwarder = `
const {connect, createServer} = require('node:net');
const {argv} = process;
const [folder, ports, command] = argv.slice(1);
const listen = (port, host) => new Promise(resolve => {
	createServer(inside => {
		const outside = connect(folder + '/' + port);
		inside.pipe(outside).pipe(inside);
		inside.on('error', () => outside.destroy()).unref();
		outside.on('error', () => inside.destroy()).unref();
	}).on('error', resolve).listen(port, host, resolve).unref();
});
Promise.all(ports.split(',').flatMap(port => [listen(port, '127.0.0.1'), listen(port, '::1')])).then(() => {
	require('node:child_process')
		.spawn('/bin/sh', ['-c', command], {stdio: 'inherit'})
		.on('exit', code => { process.exitCode = code ?? 1; });
});`;

/** Runs a command that writes to the file directly: a pipe would stay open as long as any process that it started. */
const runCommand = async (
	command: string,
	context: ShellContext,
	file: FileHandle,
	words: readonly string[] = ['/bin/sh', '-c', command],
): Promise<Ended> => {
	const {containment, freezer, signal} = context;
	requireDescriptors(unstartable(command));
	const {pid, ended} = start(words, context, file);
	if (pid === undefined) {
		return {code: await ended, left: []};
	}

	const leader = identityOf(pid);
	freezer?.hold(leader, ended);
	const end = () => void endThroughContainment(containment, leader, graceMs);
	signal?.addEventListener('abort', end, {once: true});
	const code = await ended;
	signal?.removeEventListener('abort', end);
	await endThroughContainment(containment, leader, graceMs);
	return {code, left: await leftOf(context, leader.startTime)};
};

const start = (
	command: readonly string[],
	{cwd, env, containment}: ShellContext,
	{fd}: FileHandle,
) => {
	const [program = '', ...words] = [...containment.prefix, ...command];
	const child = spawn(program, words, {cwd, env, detached: true, stdio: ['ignore', fd, fd]});
	const ended = new Promise<number | null>(resolve => {
		child.once('exit', resolve);
		child.once('error', () => resolve(null));
	});
	return {pid: child.pid, ended};
};

/** Throws if a command could not start: that is no failure of the command, and it may start later. */
const unstartable =
	(command: string) =>
	({cause, hint}: SystemCause): never => {
		throw new Failure('internal', `\`${command}\` can’t be started: ${cause}.`, {hint});
	};

/** Returns leftover processes: none in a namespace, otherwise by a search. */
const leftOf = async (
	{containment, mark, cwd}: ShellContext,
	since: string,
): Promise<readonly Survivor[]> =>
	containment.level === 'groups' ? killStragglers({mark, workedIn: {folder: cwd, since}}) : [];

/** Environment of commands, and the variable in it that marks their processes. */
export type ShellEnvironment = {
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
};

/**
Returns the environment of the plan's commands (`setup`, `verify`): the person's own, with marks of the session and of the purpose.

The commands run unapproved files of agents, so variables that are withheld from agents are withheld from them.
*/
export const shellEnvironment = (
	person: NodeJS.ProcessEnv,
	session: string,
	purpose: string,
): ShellEnvironment => {
	const mark = `DELEGATE_COMMANDS=${session}/${purpose}`;
	return {
		env: {...fencedEnvironment(person), ...entryOf(sessionMark(session)), ...entryOf(mark)},
		mark,
	};
};

const entryOf = (entry: string): Record<string, string> => {
	const [name = '', value = ''] = entry.split('=');
	return {[name]: value};
};

type Parts = {
	/** A worktree, which has a slot of its own. */
	readonly cwd: string;
	readonly log: string;
	/** Purpose and number of the run: `verify/12`. */
	readonly purpose: readonly [what: string, name: number | string];
	/** The agent in whose worktree the commands run, if any; they get its environment and question folders. */
	readonly agent?: string;
	readonly signal?: AbortSignal;
	readonly network?: Omit<CheckNetwork, 'folder'>;
};

/** Outcome of a session's commands; leftover processes are already reported. */
export type SessionOutcome = Omit<ShellOutcome, 'survivors'>;

/** Part of the world that commands need. */
export type CommandsWorld = Pick<
	World,
	| 'session'
	| 'folder'
	| 'containment'
	| 'freezer'
	| 'state'
	| 'report'
	| 'slots'
	| 'store'
	| 'repository'
> &
	Partial<Pick<World, 'environments' | 'gates' | 'limits'>>;

/** If node_modules doesn't match the lock file, `pnpm run` installs first and writes there. pnpm 10 reads this variable in lower case only; npm warns about names with the prefix `npm_config_`. */
const withoutInstalls = {pnpm_config_verify_deps_before_run: 'false'};

/** Runs approved commands on files of agents: contained, frozen with the session, with the limits of agents, and without the variables that are withheld from them. */
export const runForSession = async (
	world: CommandsWorld,
	commands: readonly string[],
	{purpose: [what, name], agent, network, ...parts}: Parts,
): Promise<SessionOutcome> => {
	const {env, mark} = shellEnvironment(process.env, world.session, `${what}/${name}`);
	const environment = {
		...(network === undefined ? {} : withoutInstalls),
		...env,
		...(await slotEnvironment(world, parts.cwd, agent)),
	};
	const shutIn = await inWorktree(world, {
		name: agent ?? what,
		// Its process may live on with connections of its own.
		gate: `commands/${agent ?? what}`,
		tree: parts.cwd,
		commands: commands.map(command => ['/bin/sh', '-c', command]),
		environment,
		...(agent === undefined
			? {}
			: {agent, onRefused: (...refused) => reportRefusedHost(world, {agent}, ...refused)}),
	});
	const limited = world.limits?.limitCommands(`${what}-${name}`, agent, shutIn);
	try {
		const {survivors, ...outcome} = await runCommands(commands, {
			...parts,
			env: environment,
			mark,
			...(network === undefined
				? {}
				: {network: {...network, folder: (await world.slots.variablesOf(parts.cwd)).TMPDIR}}),
			containment: limited?.containment ?? shutIn,
			freezer: world.freezer,
		});
		reportSurvivors(world, agent ?? null, survivors);
		return outcome;
	} finally {
		const killed = limited?.release();
		if (killed !== undefined) {
			await appendFile(parts.log, `(${killed})\n`);
		}
	}
};
