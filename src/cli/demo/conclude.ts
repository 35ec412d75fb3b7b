import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {print} from '../output.ts';
import type {Place} from './place.ts';
import type {Scene} from './scene.ts';

/**
Tells what a scene has shown and where everything of it is; the last line says what was merged.

@throws `Failure` of kind `refused` when nothing was merged.
*/
export const conclude = ({closing}: Scene, place: Place, {session, merge}: State): void => {
	if (!session || merge.phase !== 'published') {
		throw new Failure(
			'refused',
			`Nothing was merged: ${session?.ended?.why ?? 'no reason given'}.`,
			{hint: `what there is of it is kept in ${place.folder}`},
		);
	}

	print(`\n${closing}\n
The repository is kept. Its docs/ folder is the session's own record and never
part of a merge. To look at it, and at every event of the session:
  cd ${place.repository}
  git log --stat
  ${programAt(place)} log\n
merged ${merge.built.commit} into ${session.target}`);
};

/** Tells how to come back to a session that goes on without its screen. */
export const tellTheWayBack = (place: Place): void => {
	const program = programAt(place);
	print(`The session goes on without the screen; what needs you waits for you.
Come back to it:
  cd ${place.repository} && ${program}
Or end it; all work is kept:
  cd ${place.repository} && ${program} stop`);
};

/** Returns our program as a shell starts it with the state of this place. */
const programAt = ({environment}: Place): string =>
	`DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE} ${process.argv[1] ?? 'delegate-tui'}`;
