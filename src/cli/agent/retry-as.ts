import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {splitChoice} from '../../state/choice.ts';
import {itemOf} from '../../state/select.ts';
import {eventIn} from '../event-in.ts';
import type {Here, LastSession} from '../here.ts';
import {printAs} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {numberIn} from './agent-order.ts';
import {carriedOut} from './carried-out.ts';
import {requireProgram} from './find-program.ts';

/** What is retried, and as which agent. */
export type Retry = {readonly item: string; readonly choice: string; readonly profile: string};

/** Has an agent that failed start over as another program, which is told why the one before failed. */
export const retryAs = async (
	here: Here,
	session: LastSession,
	{item: id, choice, profile}: Retry,
	{note, json}: {readonly note?: string; readonly json?: boolean},
): Promise<void> => {
	const item = itemOf(session.state, id);
	const {verb, argument} = splitChoice(choice);
	if (item?.kind !== 'failure' || (verb !== 'retry' && verb !== 'retry-from')) {
		throw new Failure('usage', '--agent goes with a retry of an agent that failed.', {
			hint: 'delegate-tui agent AGT-001 restart --agent PROFILE is for any other one',
		});
	}

	const {program, environment} = await requireProgram(here, profile);
	const from = numberIn(verb === 'retry' ? undefined : argument);
	const order = {verb: 'restart', from, as: program, item: id, ...defined({text: note})} as const;
	const answer = await askSupervisor(here, {do: 'steer', agent: item.agent, order, environment});
	const event = eventIn(answer);
	const done = await carriedOut(here, session, item.agent, order, event.seq);
	printAs({json}, {ok: true, event}, done);
};
