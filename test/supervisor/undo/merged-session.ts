import type {Plan} from '../../../src/events/plan.ts';
import type {UndoOffer} from '../../../src/rules/undo-offer.ts';
import {answerUndo, withEndedSession} from '../../../src/supervisor/supervise.ts';
import {findUndo, type UndoContext} from '../../../src/supervisor/undo/undo-offer.ts';
import {type Files, git} from '../../helpers/repository.ts';
import {makeParts, planOfScript, runHere} from '../running.ts';

const files = {'src/a.txt': 'a\n', 'other.txt': 'other\n'};

/** What an agent says at the end of a script when all went well. */
export const success = `printf '[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]\\n'`;

/** A session that has ended with a merge: of `edited` in `src/a.txt`, unless said otherwise. */
export const makeMerged = async (given: Files = files, edits = 'echo edited > src/a.txt') => {
	const {parts, root, logged} = await makeParts(given);
	const base = git(root, 'rev-parse', 'main');
	const running = await mergeHere(parts, edits);
	const merge = git(root, 'rev-parse', 'main');
	const {id} = running;
	const context = <Result>(use: (context: UndoContext) => Promise<Result>): Promise<Result> =>
		withEndedSession(parts, id, use);
	return {
		...{parts, root, logged, base, merge, id, context, running},
		tip: () => git(root, 'rev-parse', 'main'),
		offer: (): Promise<UndoOffer> => context(async one => (await findUndo(one)).offer),
		turnRound: (turn: 'undo' | 'redo') =>
			answerUndo(parts, undefined, {do: 'undo', agreed: {turn, merge}}),
		events: async () => context(async ({state}) => state()),
	};
};

/** A session whose agent does these edits and whose result is approved, until it has ended. */
export const mergeHere = async (
	parts: Parameters<typeof runHere>[0],
	edits: string,
	changes: Partial<Plan> = {},
): Promise<Awaited<ReturnType<typeof runHere>>['running']> => {
	const session = await runHere(parts, planOfScript(`${edits}\n${success}`, changes));
	await session.decide('review', 'merge');
	await session.decide('approval', 'approve');
	await session.running.over;
	return session.running;
};
