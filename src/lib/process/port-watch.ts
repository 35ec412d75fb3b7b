import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {homedir, platform} from 'node:os';
import {sep} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {attempt} from '../failure.ts';
import {processEnvironment, processFolder, processProgram, whoHasSocket} from './process-table.ts';

/** A port of this machine that a command used, and the program that listens there, for a person. */
type PortUse = {
	readonly port: number;
	readonly by: string;
	/** The connection was seen only after it was closed, so another program may have made it. */
	readonly maybe?: true;
};

/** Processes to watch. */
type Watched = {
	/** `NAME=VALUE` in their environment. */
	readonly mark: string;
	/** A folder in which no other process works. */
	readonly folder: string;
	/** Ports that these processes may use. */
	readonly allowed: readonly number[];
};

export type PortWatch = {
	/** Ends the watch, and returns the used ports of other programs in ascending order. */
	readonly stop: () => Promise<readonly PortUse[]>;
};

/** Listening sockets of this machine, and connections to them. */
type Look = {
	readonly listeners: readonly {readonly port: number; readonly owner: string}[];
	readonly connections: readonly {
		/** Port from which the connection was made. */
		readonly from: number;
		readonly port: number;
		/** Absent for a closed connection. */
		readonly owner?: string;
	}[];
};

/** Whether a socket's owner is a watched process, and its name for a person. */
type Owner = {readonly isOwn: boolean; readonly text: string};

export type PortSource = {
	readonly everyMs: number;
	readonly look: () => Promise<Look>;
	/** Returns `undefined` if the owner is gone, or belongs to another user. */
	readonly ownerOf: (owner: string, watched: Watched) => Promise<Owner | undefined>;
};

/**
Watches which ports of other programs on this machine some processes use.

A connection counts if its program was there before, or isn't one of the watched. The kernel lists a closed connection for a minute, so on Linux even a short one is seen; on macOS it can be missed.
*/
export const watchPorts = async (
	watched: Watched,
	source: PortSource = platform() === 'linux' ? kernel : lsof,
): Promise<PortWatch> => {
	const foreign = new Map<number, string>();
	const known = new Set<string>();
	const judged = new Map<string, Judged>();
	/** Records the owners of listeners. A listener without an owner belongs to another user, or to a watched process that is ending; it counts in the first and the last look. Returns whether there are any that don't count yet. */
	const learn = async ({listeners}: Look, countsUnknown: boolean): Promise<boolean> => {
		let isOpen = false;
		for (const {port, owner} of listeners.filter(one => !known.has(one.owner))) {
			const found = await source.ownerOf(owner, watched);
			if (found === undefined && !countsUnknown) {
				isOpen = true;
				continue;
			}

			known.add(owner);
			if (!found?.isOwn) {
				foreign.set(port, found?.text ?? 'another program');
			}
		}

		return isOpen;
	};
	const judge = async (look: Look, isLast = false): Promise<boolean> => {
		const isOpen = await learn(look, isLast);
		for (const connection of look.connections) {
			const {port, owner} = connection;
			const by = foreign.get(port);
			const name = nameOfConnection(connection);
			const before = judged.get(name)?.of;
			if (by === undefined || before === 'watched' || before === 'others') {
				continue;
			}

			const found = owner === undefined ? undefined : await source.ownerOf(owner, watched);
			const of = found === undefined ? 'nobody' : found.isOwn ? 'watched' : 'others';
			judged.set(name, {of, port, by});
		}

		return isOpen;
	};
	const first = await source.look();
	await learn(first, true);
	for (const connection of first.connections) {
		judged.set(nameOfConnection(connection), {of: 'others', port: connection.port, by: ''});
	}

	let running: Promise<unknown> = Promise.resolve();
	let isBusy = false;
	const step = (): void => {
		if (!isBusy) {
			isBusy = true;
			running = source
				.look()
				.then(look => judge(look))
				.finally(() => {
					isBusy = false;
				});
			running.catch(() => {});
		}
	};
	const timer = setInterval(step, source.everyMs);
	return {
		stop: async () => {
			clearInterval(timer);
			await running.catch(() => {});
			for (let rest = looksAtEnd; await judge(await source.look(), rest === 0); rest--) {
				await setTimeout(source.everyMs);
			}

			return usesIn([...judged.values()]).filter(
				({port}) => port !== namePort && !watched.allowed.includes(port),
			);
		},
	};
};

/** Owner of a connection. Without one, the connection is closed, its program is ending, or its other end was seen first; a later look may tell. */
type Judged = {
	readonly of: 'watched' | 'others' | 'nobody';
	readonly port: number;
	readonly by: string;
};

const usesIn = (judged: readonly Judged[]): readonly PortUse[] => {
	const ports = new Map(
		['nobody', 'watched'].flatMap(whose =>
			judged
				.filter(({of}) => of === whose)
				.map(({of, port, by}): [number, PortUse] => [
					port,
					{port, by, ...(of === 'nobody' ? {maybe: true} : {})},
				]),
		),
	);
	return [...ports.values()].toSorted((one, other) => one.port - other.port);
};

/** Maximum number of final looks for a listener without an owner: an ending program is gone within a second. */
const looksAtEnd = 50;

const nameOfConnection = ({from, port}: Look['connections'][number]): string => `${from}>${port}`;

/** Port of the domain name service. */
const namePort = 53;

/** Returns whether a process is watched; `undefined` for an ending one, which still has its sockets but no environment. */
const isWatched = (pid: number, {mark, folder}: Watched): boolean | undefined => {
	if (`${processFolder(pid)}${sep}`.startsWith(`${folder}${sep}`)) {
		return true;
	}

	const environment = processEnvironment(pid);
	return environment.every(entry => entry === '') ? undefined : environment.includes(mark);
};

const textOf = (name: string, folder: string | undefined): string => {
	const home = homedir();
	const short = folder?.startsWith(`${home}${sep}`) ? `~${folder.slice(home.length)}` : folder;
	return short === undefined ? name : `${name} in ${short}`;
};

/** Reads the kernel's tables; the owner of a socket is the process that has its inode open. */
const kernel: PortSource = {
	everyMs: 20,
	look: async () => {
		const rows = ['tcp', 'tcp6'].flatMap(table =>
			rowsIn(attempt(() => readFileSync(`/proc/net/${table}`, 'utf8')) ?? ''),
		);
		return lookOf(rows);
	},
	ownerOf: async (inode, watched) => {
		const pid = whoHasSocket(inode);
		const isOwn = pid === undefined ? undefined : isWatched(pid, watched);
		return pid === undefined || isOwn === undefined
			? undefined
			: {isOwn, text: textOf(processProgram(pid), processFolder(pid))};
	},
};

type Row = {
	readonly local: string;
	readonly localPort: number;
	readonly remote: string;
	readonly remotePort: number;
	readonly state: string;
	readonly inode: string;
};

const rowsIn = (table: string): readonly Row[] =>
	table
		.split('\n')
		.slice(1)
		.flatMap(line => {
			const [, from = '', to = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
			const [local = '', localPort = ''] = from.split(':');
			const [remote = '', remotePort = ''] = to.split(':');
			return state === ''
				? []
				: [
						{
							...{local, remote, state, inode},
							localPort: Number.parseInt(localPort, 16),
							remotePort: Number.parseInt(remotePort, 16),
						},
					];
		});

const [listening, closed] = ['0A', '06'];

/** Returns listeners and connections. A connection within the machine is in the table from both ends; a closed one may be there from one end only. */
const lookOf = (rows: readonly Row[]): Look => {
	const listeners = rows.flatMap(({state, localPort, inode}) =>
		state === listening ? [{port: localPort, owner: inode}] : [],
	);
	const ports = new Set(listeners.map(({port}) => port));
	const connections = rows
		.filter(row => row.state !== listening && (isLoopback(row.remote) || row.local === row.remote))
		.flatMap(({state, localPort, remotePort, inode}) => {
			if (state !== closed && inode !== '0') {
				return ports.has(remotePort) ? [{from: localPort, port: remotePort, owner: inode}] : [];
			}

			return [
				...(ports.has(remotePort) ? [{from: localPort, port: remotePort}] : []),
				...(ports.has(localPort) ? [{from: remotePort, port: localPort}] : []),
			];
		});
	return {listeners, connections};
};

/** Addresses in the table are in the machine's byte order, in groups of four bytes. */
const isLoopback = (address: string): boolean =>
	/^(?:0000000000000000FFFF0000)?......7F$/.test(address) ||
	address === '00000000000000000000000001000000';

/** Asks `lsof` on systems without `/proc`; it lists only open connections. */
const lsof: PortSource = {
	everyMs: 500,
	look: async () => readLsof(await askLsof('-nP', '-iTCP', '-FpnT')),
	ownerOf: async (owner, watched) => {
		const pid = Number(owner.split(' ')[0]);
		const told = await askLsof('-a', '-p', `${pid}`, '-d', 'cwd', '-Fcn');
		const [command = '', folder] = [/^c(.*)$/m, /^n(.*)$/m].map(
			field => field.exec(told)?.[1] ?? '',
		);
		const variables = await ask('ps', ['-E', '-o', 'command=', '-p', `${pid}`]);
		const isOwn =
			variables.includes(watched.mark) || `${folder}${sep}`.startsWith(`${watched.folder}${sep}`);
		return {isOwn, text: textOf(command === '' ? 'another program' : command, folder || undefined)};
	},
};

const askLsof = (...words: readonly string[]): Promise<string> => ask('lsof', words);

/** Runs a program; both exit with an error if they find nothing. */
const ask = (program: string, words: readonly string[]): Promise<string> =>
	new Promise(resolve => {
		execFile(program, words, {maxBuffer: 2 ** 24}, (_, stdout) => resolve(stdout));
	});

/** Parses the output of `lsof -FpnT`: a line for each process, followed by lines for each of its sockets. */
export const readLsof = (printed: string): Look => {
	const listeners: {port: number; owner: string}[] = [];
	const open: {from: number; port: number; owner: string}[] = [];
	let pid = '';
	for (const line of printed.split('\n')) {
		const [, from = '', port] = /^n.*?:(\d+)(?:->.*:(\d+))?$/.exec(line) ?? [];
		if (line.startsWith('p')) {
			pid = line.slice(1);
		} else if (port !== undefined) {
			open.push({from: Number(from), port: Number(port), owner: pid});
		} else if (from !== '') {
			listeners.push({port: Number(from), owner: `${pid} ${from}`});
		}
	}

	const ports = new Set(listeners.map(listener => listener.port));
	return {listeners, connections: open.filter(connection => ports.has(connection.port))};
};
