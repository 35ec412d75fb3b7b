import {Failure} from '../../lib/failure.ts';
import {allowancesOf} from '../../state/agent/allowance.ts';
import {eventIn} from '../event-in.ts';
import {type Here, requireActiveSession, requireAgent} from '../here.ts';
import {printAs} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';

type Options = {readonly json?: boolean};

/** Lists the commands that an agent need not ask about in this session. */
export const listPermissions = async (here: Here, id: string, options: Options): Promise<void> => {
	const session = await requireActiveSession(here);
	requireAgent(session, id);
	const permissions = allowancesOf(session.state.allowances, id);
	printAs(
		options,
		{permissions},
		permissions.length === 0
			? `${id} asks about each command that its scope does not decide.`
			: permissions
					.map(
						({id, pattern, agent}) => `${id}  ${pattern}${agent === null ? '  (every agent)' : ''}`,
					)
					.join('\n'),
	);
};

/** Takes one back: such commands are asked about again, by every agent that had it. */
export const withdrawPermission = async (
	here: Here,
	words: readonly string[],
	options: Options,
): Promise<void> => {
	const [allowance, extra] = words;
	if (allowance === undefined || extra !== undefined) {
		throw new Failure('usage', '"withdraw" takes the id of one permission, such as al-1.', {
			hint: 'delegate-tui agent AGT-001 permissions lists them',
		});
	}

	const event = eventIn(await askSupervisor(here, {do: 'withdraw', allowance}));
	const done = `${allowance} is withdrawn; such commands are asked about again.`;
	printAs(options, {ok: true, event}, done);
};
