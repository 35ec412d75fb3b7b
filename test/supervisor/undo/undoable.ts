import {readSettings} from '../../../src/git/read-settings.ts';
import type {UndoOffer} from '../../../src/rules/undo-offer.ts';
import {undo} from '../../../src/supervisor/undo/undo.ts';
import {findUndo, type UndoContext} from '../../../src/supervisor/undo/undo-offer.ts';
import {serially} from '../../../src/supervisor/world.ts';
import {makeMerged} from '../../git/target/undo-world.ts';
import {accepted} from '../../helpers/given.ts';
import {mergeBuilt} from '../../helpers/happened.ts';
import {publish, verify} from '../../helpers/merging.ts';

/** The first line of the merge's message. */
export const subject = 'Work of AGT-001';

/** A merge in a real repository, of a session in memory that has ended with it. */
export const makeUndoable = async () => {
	const {repository, store, root, from, to: merge, lines} = await makeMerged();
	const given = accepted(['AGT-001']);
	const {digest} = await readSettings(repository);
	const gitSettings = {digest, changed: []};
	given.tell(mergeBuilt({commit: merge, tree: `tree of ${merge}`, tip: from, gitSettings}));
	verify(given, true, merge);
	given.decide(given.item('approval').id, 'approve');
	publish(given, merge, from);
	const context: UndoContext = {
		...{repository, store, session: 'DEL-1', state: given.state},
		append: async bodies => given.tell(...bodies),
		now: () => '2026-11-22T08:00:00Z',
		serially: serially(),
	};
	return {
		...{root, from, merge, lines, given, context},
		/** What the merge changed: a file, one that came, and one that went. */
		merged: ['a.txt', 'new.txt', 'gone.txt'],
		turn: async (one: UndoContext): Promise<UndoOffer> => {
			const {offer} = await findUndo(one);
			return undo(one, offer);
		},
	};
};
