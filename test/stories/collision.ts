import type {InboxItem} from '../../src/rules/inbox.ts';
import {agent} from '../helpers/plan-file.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** The file that both agents change, each in its own way. */
export const shared = 'src/shared.txt';

/** Two agents whose accepted work collides, up to the conflict that a person has to decide. */
export const startCollision = async (
	files: Readonly<Record<string, string>> = {},
): Promise<{session: Session; conflict: InboxItem}> => {
	const session = await startSession(
		{
			agents: [
				agent('edits.sh', [shared, 'left', 'src/left.txt', 'left']),
				agent('keeps-both.sh', [shared, 'right']),
			],
		},
		{[shared]: 'base\n', ...files},
	);
	await session.accept('AGT-001', 'AGT-002');
	return {session, conflict: await session.item('conflict')};
};
