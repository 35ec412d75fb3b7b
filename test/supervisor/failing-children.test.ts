import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {createConnection, type Socket} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {startAcpTurn} from '../../src/agents/acp/turn.ts';
import {typescriptOracle} from '../../src/conflicts/oracle/typescript.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {createFreezer} from '../../src/lib/process/freezer.ts';
import {runProgram} from '../../src/lib/process/run-program.ts';
import {runCommands} from '../../src/supervisor/machine/shell.ts';
import {open} from '../agents/acp/converse.ts';
import {startPrinting} from '../agents/start-printing.ts';
import {startClient, startServer, temporaryPath} from '../control/helpers.ts';
import {makeStore} from '../git/world.ts';
import {type Fault, faults, goesOn} from '../helpers/faults.ts';
import {afterTheLast} from '../helpers/marked-processes.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

/** More than any pipe takes while nobody reads. */
const much = `${'word '.repeat(400_000)}\n`;

/** A run of a child that goes wrong: what it does, the mark that its processes have, and a signal by which whoever waits for it gives up. */
type Run = {
	readonly script: string;
	/** File that the script creates first. */
	readonly met: string;
	readonly entry: string;
	readonly env: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
};

/** Its end as it was told; a failure is told, too. */
type Child = (run: Run) => Promise<unknown>;

/** Answers the first questions of the Agent Client Protocol, then has its fault. */
const speaking = (answers: number, fault: string): string =>
	[
		'say() { printf \'{"jsonrpc":"2.0","id":%s,"result":%s}\\n\' "$(printf %s "$line" | sed \'s/.*"id":\\([0-9]*\\).*/\\1/\')" "$1"; }',
		...['{"protocolVersion":1,"agentCapabilities":{}}', '{"sessionId":"s"}']
			.slice(0, answers)
			.map(answer => `read -r line; say '${answer}'`),
		'read -r line',
		fault,
	].join('\n');

const acpAgent =
	(answers: number): Child =>
	async ({script, entry, env, signal}) => {
		const aborted = new Promise<void>(resolve => {
			signal.addEventListener('abort', () => resolve());
		});
		const {conversation} = await open(['sh', '-c', speaking(answers, script)], {
			...{environment: env, mark: entry, signal},
			freezer: {...createFreezer(), timeout: () => signal},
		});
		const turn = startAcpTurn(conversation, {
			...{prompt: much, transcript: join(temporaryFolder(), 'transcript'), expect: []},
			...{onSignal: () => {}, onDetail: () => {}, onRequest: async () => ({kind: 'allow'})},
		});
		void aborted.then(() => turn.stop());
		return turn.ended;
	};

const textAgent =
	(before: string): Child =>
	async ({script, entry, env, signal}) => {
		const {turn} = await startPrinting(['sh', '-c', `${before}${script}`], {
			...{environment: env, mark: entry, keepInput: true, prompt: much},
		});
		signal.addEventListener('abort', () => turn.stop());
		turn.reply([]);
		return turn.ended;
	};

const program =
	(before: string): Child =>
	({script, env, signal}) =>
		runProgram('sh', ['-c', `${before}${script}`], {env, input: much, signal});

const command: Child = ({script, env, entry, signal}) =>
	runCommands([script], {
		...{cwd: temporaryFolder(), env, mark: entry, signal},
		...{log: join(temporaryFolder(), 'log'), containment: groupsContainment('for a test')},
	});

/** Our TypeScript's process, before it opens the project's own TypeScript, or in a check by that. */
const checker =
	(isOpen: boolean): Child =>
	async ({script, met, env, signal}) => {
		const checkout = temporaryFolder();
		const {store, base} = await makeStore({'a.ts': ''});
		write(checkout, {
			'node_modules/typescript/package.json': '{"version": "7.9.9", "type": "module"}',
			'node_modules/typescript/dist/api/sync/api.js': `
				import {spawnSync} from 'node:child_process';
				import {closeSync, writeFileSync} from 'node:fs';
				const script = ${JSON.stringify(script.replaceAll('$$', '$PPID'))};
				export class API {
					updateSnapshot() {
						// It is killed as soon as its channel is closed.
						writeFileSync(${JSON.stringify(met)}, '');
						if (script.includes('exec <&-')) {
							[0, 1, 2, 3].map(closeSync);
						}
						spawnSync('sh', ['-c', script], {stdio: 'ignore'});
						process.exit();
					}
				}
			`,
		});
		const oracle = await typescriptOracle.start(
			{
				...{store, checkout, runsCode: false},
				shutIn: async ({command: words}) => ({words: isOpen ? words : ['sh', '-c', script], env}),
			},
			signal,
		);
		await oracle?.check(base, signal);
	};

/** Every way in which the supervisor starts something and talks to it, at each moment of that. */
const children: readonly (readonly [what: string, child: Child])[] = [
	['a git or a checker before it reads', program('')],
	['a git or a checker while it is written to', program('head -c 10 >/dev/null; ')],
	['a git or a checker that has read all', program('cat >/dev/null; ')],
	['our TypeScript before it is open', checker(false)],
	['our TypeScript in a check', checker(true)],
	['setup or verify', command],
	['an agent or planner that prints, before it reads', textAgent('')],
	['an agent or planner that prints, in its turn', textAgent('read -r line; ')],
	['an agent or planner that speaks ACP, at the handshake', acpAgent(0)],
	['one that opens its session', acpAgent(1)],
	['one in its turn', acpAgent(2)],
];

/** Has a child go wrong, and returns what of it is left once it was told how it ended. */
const leftAfter = async (child: Child, fault: Fault): Promise<readonly object[]> => {
	const met = join(temporaryFolder(), 'met');
	const id = randomUUID();
	const gaveUp = new AbortController();
	const ended = child({
		...{met, script: `: >'${met}'; ${faults[fault]}`},
		entry: `TEST_CHILD=${id}`,
		env: {PATH: process.env.PATH ?? '', TEST_CHILD: id},
		signal: gaveUp.signal,
	}).catch(() => {});
	await expect.poll(() => existsSync(met)).toBe(true);
	if (goesOn(fault)) {
		gaveUp.abort(new Error('Nobody waits any more.'));
	}

	await ended;
	return afterTheLast(`TEST_CHILD=${id}`);
};

// An error that nobody hears fails the run of all tests.
test.each(children)(
	'%s ends alone, whatever it does to itself and to its pipes',
	async (_, child) => {
		const left = await Promise.all(
			Object.keys(faults).map(async fault => [fault, await leftAfter(child, fault as Fault)]),
		);
		expect(Object.fromEntries(left)).toEqual(
			Object.fromEntries(Object.keys(faults).map(fault => [fault, []])),
		);
	},
);

describe('a server of tools', () => {
	const socketOf = async () => {
		const path = temporaryPath();
		const calls = new Set<AbortSignal>();
		await startServer(path, {
			handle: async (request, _, gone) => {
				calls.add(gone);
				return request;
			},
		});
		return {path, calls};
	};

	const call = '{"id": 1, "do": "it"}\n';
	const moments: readonly (readonly [string, (socket: Socket) => void])[] = [
		['that says nothing', () => {}],
		['that is gone in the middle of a call', socket => void socket.write(call.slice(0, 9))],
		['that is gone before its answer', socket => socket.write(call, () => socket.destroy())],
		['that closes its pipe after a call', socket => void socket.end(call)],
		['that floods', socket => void socket.write('x'.repeat(3 * 2 ** 20))],
		[
			'that stands still while it is answered',
			socket => void socket.pause().write(call.replace('it', 'much'.repeat(9999)).repeat(99)),
		],
	];
	test.each(moments)('%s keeps no other from its answer', async (_, fails) => {
		const {path} = await socketOf();
		const faulty = createConnection(path);
		faulty.on('error', () => {});
		fails(faulty);
		const other = await startClient(path);
		expect(await other.request({do: 'something'})).toMatchObject({do: 'something'});
		faulty.destroy();
		expect(await other.request({do: 'more'})).toMatchObject({do: 'more'});
	});
});
