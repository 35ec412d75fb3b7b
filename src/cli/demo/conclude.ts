import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {print} from '../output.ts';
import type {Playground} from './playground.ts';
import type {Scene} from './scene.ts';

/**
Tells what a scene has shown and where everything of it is; the last line says what was merged.

@throws `Failure` of kind `refused` when nothing was merged.
*/
export const conclude = (
	{closing}: Scene,
	playground: Playground,
	{session, publications}: State,
): void => {
	const last = publications.at(-1);
	if (!session || last === undefined) {
		throw new Failure(
			'refused',
			`Nothing was merged: ${session?.ended?.why ?? 'no reason given'}.`,
			{hint: `what there is of it is kept in ${playground.folder}`},
		);
	}

	print(`\n${closing}\n
The repository is kept. Its docs/ folder is the session’s own record and never
part of a merge. To look at it, and at every event of the session:
  cd ${playground.repository}
  git log --stat
  ${programAt(playground)} log\n
merged ${last.built.commit} into ${session.target}`);
};

/** Tells how to come back to a session that goes on without its screen. */
export const printTheWayBack = (playground: Playground): void => {
	const program = programAt(playground);
	print(`The session goes on without the screen; what needs you waits for you.
Come back to it:
  cd ${playground.repository} && ${program}
Or end it; all work is kept:
  cd ${playground.repository} && ${program} stop`);
};

/** Returns our program as a shell starts it with the state of this playground. */
const programAt = ({environment}: Playground): string =>
	`DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE} ${process.argv[1] ?? 'delegate-tui'}`;
