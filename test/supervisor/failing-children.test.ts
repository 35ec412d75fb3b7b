import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {createConnection} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {startAcpTurn} from '../../src/agents/acp/turn.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {createFreezer} from '../../src/lib/process/freezer.ts';
import {runProgram} from '../../src/lib/process/run-program.ts';
import {runCommands} from '../../src/supervisor/machine/shell.ts';
import {open} from '../agents/acp/converse.ts';
import {startPrinting} from '../agents/start-printing.ts';
import {startClient, startServer, temporaryPath} from '../control/helpers.ts';
import {afterTheLast} from '../helpers/marked-processes.ts';
import {temporaryFolder} from '../helpers/repository.ts';

/** What a child may do at any moment; `$MET` is a file that says that it does. */
const faults = {
	'is killed': 'kill -KILL $$',
	'stands still': 'kill -STOP $$',
	floods:
		'head -c 3000000 /dev/zero | tr "\\0" x; head -c 300000 /dev/zero | tr "\\0" y >&2; exit 3',
	'closes its pipes': 'exec <&- >&- 2>&-; exit 3',
	'closes its pipes and goes on': 'exec <&- >&- 2>&-; exec sleep 1000',
} as const;

type Fault = keyof typeof faults;

/** More than any pipe takes while nobody reads. */
const much = `${'word '.repeat(400_000)}\n`;

/** A run of a child that goes wrong: what it does, the mark that its processes have, and a signal by which whoever waits for it gives up. */
type Run = {
	readonly script: string;
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

/** Every way in which the supervisor starts something and talks to it, at each moment of that. */
const children: readonly (readonly [what: string, child: Child])[] = [
	['a git or a checker before it reads', program('')],
	['a git or a checker while it is written to', program('head -c 10 >/dev/null; ')],
	['a git or a checker that has read all', program('cat >/dev/null; ')],
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
		script: `: >'${met}'; ${faults[fault]}`,
		entry: `TEST_CHILD=${id}`,
		env: {PATH: process.env.PATH ?? '', TEST_CHILD: id},
		signal: gaveUp.signal,
	}).catch(() => {});
	await expect.poll(() => existsSync(met)).toBe(true);
	if (fault === 'stands still' || fault === 'closes its pipes and goes on') {
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

	test.each([
		['that is gone in the middle of a call', '{"id": 1, "do": '],
		['that floods', 'x'.repeat(3 * 2 ** 20)],
		['that says nothing', ''],
	])('%s keeps no other from its answer', async (_, said) => {
		const {path} = await socketOf();
		const faulty = createConnection(path);
		faulty.on('error', () => {});
		faulty.write(said);
		const other = await startClient(path);
		expect(await other.request({do: 'something'})).toMatchObject({do: 'something'});
		faulty.destroy();
		expect(await other.request({do: 'more'})).toMatchObject({do: 'more'});
	});
});
