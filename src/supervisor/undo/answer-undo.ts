import type {Asker} from '../../events/event.ts';
import {survivingCheckout} from '../../git/repository/surviving-checkout.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {waitingText} from '../../rules/notices.ts';
import {nextToTurn, undoOf} from '../../state/merge/publication.ts';
import {withEndedSession} from '../past/ended-session.ts';
import type {SupervisorRequest} from '../requests/request.ts';
import type {RunningSession} from '../session.ts';
import type {StartParts} from '../start-session.ts';
import {supervisorStarted} from '../supervisor-started.ts';
import {lastMerged} from './last-merged.ts';
import {carryOut, undo} from './undo.ts';
import {findUndo, type UndoContext} from './undo-offer.ts';

type UndoRequest = Extract<SupervisorRequest, {do: 'undo'}>;

/** Tells what an undo of the last merge would do or, once a person has agreed to that, does it. */
export const answerUndo = async (
	given: StartParts,
	running: RunningSession | undefined,
	request: UndoRequest,
	asker?: Asker,
): Promise<unknown> => {
	const repository = await survivingCheckout(given.repository);
	const parts = {...given, repository};
	const answer = async (context: UndoContext) =>
		request.agreed === undefined
			? {offer: (await findUndo(context)).offer}
			: {done: await undo(context, withoutGaps(request.agreed), asker)};

	if (running !== undefined && !running.loop.state().session?.ended) {
		await requireOwnMerge(parts, running);
		return answer({...running.world, repository});
	}

	await running?.over;
	const merged = await lastMerged(parts.folder);
	if (merged === undefined) {
		throw nothingYet();
	}

	return withEndedSession(parts, merged.id, answer);
};

const nothingYet = (): Failure =>
	new Failure('refused', 'Nothing was merged in this repository yet.', {
		hint: 'delegate-tui status shows where the session stands',
	});

/**
Finishes an undo that was cut off, whoever comes next.

What stands against it is for the log, be it the damaged journal of a session of long ago: that must not keep the next one from starting.
*/
export const finishUndo = async (parts: StartParts): Promise<void> => {
	try {
		await finish(parts);
	} catch (error) {
		parts.log(`the last undo was not looked at or not finished: ${asFailure(error).message}`);
	}
};

const finish = async (parts: StartParts): Promise<void> => {
	const merged = await lastMerged(parts.folder);
	if (!merged?.state.session?.ended || undoOf(merged.state) === undefined) {
		return;
	}

	await withEndedSession(parts, merged.id, async context => {
		await context.append([supervisorStarted(parts.containment, parts.version)]);
		await carryOut({...context, append: appending(context, parts.log)});
	});
};

/** Whoever waits for this supervisor to answer reads its log. */
const appending =
	({append}: UndoContext, log: StartParts['log']): UndoContext['append'] =>
	async bodies => {
		for (const body of bodies) {
			if (body.kind === 'machine.waiting' && body.git) {
				log(waitingText(body.git));
			}
		}

		await append(bodies);
	};

/** The agents of a session that runs stand on what was merged before it. */
const requireOwnMerge = async ({folder}: StartParts, {id, loop}: RunningSession): Promise<void> => {
	if (nextToTurn(loop.state()) === undefined) {
		if ((await lastMerged(folder)) === undefined) {
			throw nothingYet();
		}

		throw new Failure(
			'refused',
			`Session ${id} is active, and its agents stand on the last merge.`,
			{
				hint: 'undo it when the session has ended; "delegate-tui stop" ends it and keeps its work',
			},
		);
	}
};

const withoutGaps = ({turn, merge, from, settings}: NonNullable<UndoRequest['agreed']>) => ({
	turn,
	merge,
	...defined({from, settings}),
});
