import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import {eventIn} from '../event-in.ts';
import type {Here, LastSession} from '../here.ts';
import {printAs} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {carriedOut} from './carried-out.ts';
import {requireProgram} from './find-program.ts';

/** What is retried, and as which agent. */
export type Retry = {readonly item: string; readonly choice: string; readonly profile: string};

/** Has an agent that failed start over as another program, which is told why the one before failed. */
export const retryAs = async (
	here: Here,
	session: LastSession,
	{item: id, choice: typed, profile}: Retry,
	{note, json}: {readonly note?: string; readonly json?: boolean},
): Promise<void> => {
	const item = itemOf(session.state, id);
	const choice =
		item?.kind === 'failure' ? readChoice<'failure'>(session.state, item, typed) : undefined;
	if (item?.kind !== 'failure' || (choice?.verb !== 'retry' && choice?.verb !== 'retry-from')) {
		const message = `--agent goes with a retry of an agent that failed, and "${typed}" of ${id} is none.`;
		throw new Failure('usage', message, {
			hint: 'delegate-tui agent AGT-001 restart --agent PROFILE is for any other one',
		});
	}

	const {program, environment} = await requireProgram(here, profile);
	const from = choice.verb === 'retry' ? null : choice.snapshot;
	const order = {verb: 'restart', from, as: program, item: id, ...defined({text: note})} as const;
	const answer = await askSupervisor(here, {do: 'steer', agent: item.agent, order, environment});
	const event = eventIn(answer);
	const done = await carriedOut(here, session, item.agent, order, event.seq);
	printAs({json}, {ok: true, event}, done);
};
