import type {Command} from 'commander';
import {fetchResource} from '../../client/resources/resources.ts';
import {type AgentOrder, asCommand} from '../../events/agent-order.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {allowancesOf} from '../../state/agent/allowance.ts';
import {agentOf, itemsOf} from '../../state/select.ts';
import {readOrder, requireProgram} from '../agent/agent-order.ts';
import {carriedOut} from '../agent/carried-out.ts';
import {visit} from '../agent/visit.ts';
import {decideItem} from '../answering/decide.ts';
import {findHere, type Here, requireActiveSession, requireNamedAgent} from '../here.ts';
import {print, printAs} from '../output.ts';
import {saysYes} from '../questions.ts';
import {askSupervisor, eventIn, requirePerson} from '../reach-supervisor.ts';

type Options = {json?: boolean; now?: true; from?: string; agent?: string; yes?: boolean};

export const addAgent = (program: Command): void => {
	program
		.command('agent <id> <verb> [words...]')
		.description(
			'steer one agent: message TEXT, pause, resume, restart, retry, shell, editor, attach, permissions, withdraw ID, model NAME, mode NAME, grant PATH, check, stop',
		)
		.option('--now', 'with message: cut its turn short for it, instead of waiting for the next one')
		.option(
			'--from <snapshot>',
			'with restart or retry: set its worktree back to this snapshot first',
		)
		.option('--agent <profile>', 'with restart or retry: the profile that it uses from now on')
		.option('--yes', 'do not ask before its worktree is set back')
		.option('--json', 'as JSON')
		.action(async (id: string, verb: string, words: string[], options: Options) => {
			const {agent: profile, ...more} = options;
			const here = await findHere();
			requirePerson(here);
			switch (verb) {
				case 'shell':
				case 'editor':
				case 'attach':
					requireBare(verb, words, options);
					print(await visit(here, id, verb));
					return;
				case 'permissions':
					await listPermissions(here, id, options);
					return;
				case 'withdraw':
					await withdrawPermission(here, words, options);
					return;
				case 'retry':
					await retry(here, id, words, options);
					return;
			}

			const found = profile === undefined ? undefined : await requireProgram(here, profile);
			const as = found?.program;
			const read = readOrder(verb, words, {...more, ...defined({as})});
			const session = await requireActiveSession(here);
			const order = asCommand(read, agentOf(session.state, id)?.commands);
			if (order.verb === 'message' && order.command && !options.json) {
				print(`This is a command of ${id}’s own; it may change what it asks before it acts.`);
			}

			if (!(await isMeant(here, id, order, options))) {
				throw new Failure('refused', 'Nothing was changed.');
			}

			const {event, done} = await carriedOut(here, session, id, order, found?.environment);
			printAs(options, {ok: true, event}, done);
		});
};

/** Retries a failed agent, as answering its failure item does. */
const retry = async (
	here: Here,
	id: string,
	words: readonly string[],
	{from, agent, json}: Options,
): Promise<void> => {
	const session = await requireActiveSession(here);
	const failure = itemsOf(session.state, id).find(({kind}) => kind === 'failure');
	if (failure === undefined) {
		throw new Failure('refused', `${id} has not failed.`, {
			hint: `delegate-tui agent ${id} restart starts it over in any state`,
		});
	}

	const note = words.join(' ') || undefined;
	const choice = from === undefined ? 'retry' : `retry-from:${from}`;
	await decideItem(here, session, failure.id, choice, defined({note, agent, json}));
};

/** Refuses words and options with verbs that take none. */
const requireBare = (verb: string, words: readonly string[], options: Options): void => {
	const [extra] = [...words, ...Object.keys(options).map(name => `--${name}`)];
	if (extra !== undefined) {
		throw new Failure('usage', `"${verb}" takes nothing, such as "${extra}".`);
	}
};

/** Shows the changes of a restore and asks for confirmation; the current state is pinned in any case. */
const isMeant = async (
	here: Here,
	id: string,
	order: AgentOrder,
	{json, yes}: Options,
): Promise<boolean> => {
	if (order.verb !== 'restart' || order.from === null || json || yes) {
		return true;
	}

	const what = {of: 'restore', agent: id, snapshot: order.from} as const;
	const {lines} = await fetchResource(request => askSupervisor(here, request), what);
	print(`Its worktree would be set back to snapshot ${order.from}:\n${statIn(lines)}`);
	return !process.stdin.isTTY || (await saysYes('Start it over from there?'));
};

/** Returns the diffstat, which is above the diff. */
const statIn = (lines: readonly string[]): string => {
	const end = lines.findIndex(line => line.startsWith('diff --git '));
	const stat = lines.slice(0, end === -1 ? lines.length : end).filter(line => line !== '');
	return stat.length === 0 ? ' nothing changes' : stat.join('\n');
};

type PermissionOptions = {readonly json?: boolean};

/** Lists the commands that an agent may run in this session without asking. */
const listPermissions = async (
	here: Here,
	id: string,
	options: PermissionOptions,
): Promise<void> => {
	const session = await requireActiveSession(here);
	requireNamedAgent(session, id);
	const permissions = allowancesOf(session.state.allowances, id);
	printAs(
		options,
		{permissions},
		permissions.length === 0
			? `${id} asks you about each command that its scope does not decide.`
			: permissions
					.map(
						({id, pattern, agent}) => `${id}  ${pattern}${agent === null ? '  (every agent)' : ''}`,
					)
					.join('\n'),
	);
};

/** Withdraws an allowance: such commands need permission again, from every agent that had it. */
const withdrawPermission = async (
	here: Here,
	words: readonly string[],
	options: PermissionOptions,
): Promise<void> => {
	const [allowance, extra] = words;
	if (allowance === undefined || extra !== undefined) {
		throw new Failure('usage', '"withdraw" takes the id of one permission, such as al-1.', {
			hint: 'delegate-tui agent AGT-001 permissions lists them',
		});
	}

	const event = eventIn(await askSupervisor(here, {do: 'withdraw', allowance}));
	const done = `${allowance} is withdrawn; you are asked about such commands again.`;
	printAs(options, {ok: true, event}, done);
};
