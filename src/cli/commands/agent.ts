import type {Command} from 'commander';
import type {AgentOrder} from '../../events/agent-order.ts';
import {Failure} from '../../lib/failure.ts';
import {readOrder} from '../agent/agent-order.ts';
import {carriedOut} from '../agent/carried-out.ts';
import {type FoundProgram, findProgram} from '../agent/find-program.ts';
import {listPermissions, withdrawPermission} from '../agent/permissions.ts';
import {visit} from '../agent/visit.ts';
import {eventIn} from '../event-in.ts';
import {findHere, type Here, requireActiveSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';
import {saysYes} from '../says-yes.ts';

type Options = {json?: boolean; now?: true; from?: string; agent?: string; yes?: boolean};

/** `agent`: have one agent do something, whatever it is at. */
export const addAgent = (program: Command): void => {
	program
		.command('agent <id> <verb> [words...]')
		.description(
			'steer one agent: message TEXT, pause, resume, restart, shell, attach, permissions, withdraw ID, check, stop',
		)
		.option('--now', 'of a message: cut its turn short for it, instead of waiting for the next one')
		.option('--from <snapshot>', 'of a restart: set its worktree back to this snapshot first')
		.option('--agent <profile>', 'of a restart: the profile of the config that it is from now on')
		.option('--yes', 'without asking whether its worktree is to be set back')
		.option('--json', 'as JSON')
		.action(async (id: string, verb: string, words: string[], options: Options) => {
			const {json, agent: profile, ...more} = options;
			const here = await findHere();
			requirePerson(here);
			switch (verb) {
				case 'shell':
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
			}

			const found = profile === undefined ? undefined : await requireProgram(here, profile);
			const as = found?.program;
			const order = readOrder(verb, words, {...more, ...(as === undefined ? {} : {as})});
			const session = await requireActiveSession(here);
			if (!(await isMeant(here, id, order, options))) {
				throw new Failure('refused', 'Nothing was changed.');
			}

			const answer = await askSupervisor(here, {
				do: 'steer',
				agent: id,
				order,
				...(found === undefined ? {} : {environment: found.environment}),
			});
			const event = eventIn(answer);
			const done = await carriedOut(session, id, order, event.seq);
			if (json) {
				printJson({ok: true, event});
			} else {
				print(done);
			}
		});
};

/** What a person works in is their own from its first line on. */
const requireBare = (verb: string, words: readonly string[], options: Options): void => {
	const [extra] = [...words, ...Object.keys(options).map(name => `--${name}`)];
	if (extra !== undefined) {
		throw new Failure('usage', `"${verb}" takes nothing, such as "${extra}".`);
	}
};

const requireProgram = async (here: Here, name: string): Promise<FoundProgram> => {
	const found = await findProgram(here, name);
	if ('why' in found) {
		const {message, hint} = found.why;
		throw new Failure('usage', message, hint === undefined ? {} : {hint});
	}

	return found;
};

/** What a worktree is set back by is shown first; what it holds now is pinned all the same. */
const isMeant = async (
	here: Here,
	id: string,
	order: AgentOrder,
	{json, yes}: Options,
): Promise<boolean> => {
	if (order.verb !== 'restart' || order.from === null || json || yes) {
		return true;
	}

	const page = await askSupervisor(here, {do: 'show', what: `restore:${id}:${order.from}`});
	print(`Its worktree would be set back to snapshot ${order.from}:\n${statIn(page)}`);
	return !process.stdin.isTTY || (await saysYes('Start it anew from there?'));
};

/** The counts of lines stand above the diff. */
const statIn = (page: unknown): string => {
	const lines =
		typeof page === 'object' && page !== null && 'lines' in page && Array.isArray(page.lines)
			? page.lines.map(String)
			: [];
	const end = lines.findIndex(line => line.startsWith('diff --git '));
	const stat = lines.slice(0, end === -1 ? lines.length : end).filter(line => line !== '');
	return stat.length === 0 ? ' nothing changes' : stat.join('\n');
};
