import {once} from 'node:events';
import {rm} from 'node:fs/promises';
import {createServer, type IncomingMessage, request, type Server} from 'node:http';
import {connect, type Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {agentSocketPath} from '../../control/path.ts';
import {attempt} from '../../lib/failure.ts';
import {isSame} from '../../lib/values.ts';

/** Proxies through which a process without a network reaches only the hosts that a person named. */
export type Gates = {
	/** Opens the gate of a starting process, and returns its socket. Keeps an earlier gate of the same name, with its connections, if the hosts are the same; closes it otherwise. */
	readonly open: (name: string, rules: GateRules) => Promise<string>;
	readonly close: () => Promise<void>;
};

export type GateRules = {
	/** Host names without ports; `*.example.org` matches all names below it. */
	readonly hosts: readonly string[];
	/** Called once for each refused host, up to a maximum number. */
	readonly onRefused?: OnRefusedHost;
};

export type OnRefusedHost = (host: string, isLast: boolean) => unknown;

/** Maximum number of refused hosts that a gate reports: each is an event, and a process can make up any number. */
const mostRefused = 50;

/** @param place Key that no other holder of gates on this machine uses, such as the session's folder. */
export const createGates = (place: string): Gates => {
	const opened = new Map<string, Gate>();
	return {
		open: async (name, rules) => {
			const earlier = opened.get(name);
			if (earlier && isSame(earlier.rules.hosts, rules.hosts)) {
				earlier.rules = rules;
				earlier.refused.clear();
				return earlier.path;
			}

			await earlier?.close();
			const gate = await openGate(agentSocketPath(`${place}/gate/${name}`), rules);
			opened.set(name, gate);
			return gate.path;
		},
		close: async () => {
			await Promise.all([...opened.values()].map(gate => gate.close()));
		},
	};
};

type Gate = {
	readonly path: string;
	rules: GateRules;
	readonly refused: Set<string>;
	readonly close: () => Promise<void>;
};

/** Opens a gate. Node.js throws for a port, a login or a status that there can't be, which would end the supervisor. */
const openGate = async (path: string, rules: GateRules): Promise<Gate> => {
	await rm(path, {force: true});
	const sockets = new Set<Socket>();
	const gate: Gate = {path, rules, refused: new Set(), close: () => closeAll(server, sockets)};
	const isOpen = (host: string): boolean => {
		const {refused, rules} = gate;
		const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
		if (rules.hosts.some(wanted => covers(wanted.toLowerCase(), name))) {
			return true;
		}

		if (!refused.has(name) && refused.size < mostRefused) {
			refused.add(name);
			rules.onRefused?.(name, refused.size === mostRefused);
		}

		return false;
	};
	const server = createServer((incoming, outgoing) => {
		const to = attempt(() => new URL(incoming.url ?? ''));
		if (to?.protocol !== 'http:' || !isOpen(to.hostname)) {
			outgoing.writeHead(403).end(closedText(to?.hostname ?? 'what has no name'));
			return;
		}

		const {method, headers} = incoming;
		const passed = attempt(() =>
			request(to, {method, headers}, answer => {
				const {statusCode = 0} = answer;
				outgoing.writeHead(statusCode < 200 ? 502 : statusCode, answer.headers);
				answer.pipe(outgoing);
			}),
		);
		if (passed === undefined) {
			outgoing.writeHead(400).end();
			return;
		}

		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	});
	server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
		tunnel(incoming.url ?? '', isOpen, {client, head});
	});
	server.on('connection', socket => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	server.listen(path);
	await once(server, 'listening');
	return gate;
};

const covers = (wanted: string, name: string): boolean =>
	wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;

const closedText = (host: string): string =>
	`${host} is closed by sandbox.network; a person can open it for the next start\n`;

const tunnel = (
	address: string,
	isOpen: (host: string) => boolean,
	{client, head}: {readonly client: Duplex; readonly head: Buffer},
): void => {
	const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
	client.on('error', () => {});
	if (!isOpen(host)) {
		client.end(`HTTP/1.1 403 Forbidden\r\n\r\n${closedText(host)}`);
		return;
	}

	const other = attempt(() => connect(Number(port), host.replaceAll(/[[\]]/g, '')));
	if (other === undefined) {
		client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
		return;
	}

	other.once('connect', () => {
		client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		other.write(head);
		client.pipe(other).pipe(client);
	});
	other.on('error', () => client.destroy());
	client.on('close', () => other.destroy());
};

const closeAll = async (server: Server, sockets: ReadonlySet<Socket>): Promise<void> => {
	const closed = once(server, 'close');
	server.close();
	for (const socket of sockets) {
		socket.destroy();
	}

	await closed;
};
