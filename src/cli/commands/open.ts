import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {findHere, isActive, readLastSession} from '../here.ts';
import {wakeSupervisor} from '../reach-supervisor.ts';
import {requireConfig} from '../require-config.ts';
import {isAtTerminal, showSession} from '../show-session.ts';
import {printStatus} from './status.ts';

/** Without a command: opens the screen on the session that is under way. */
export const addOpen = (program: Command): void => {
	program.argument('[task]').action(async (task: string | undefined) => {
		if (task !== undefined) {
			throw new Failure('usage', `There is no command "${task}".`, {hint: 'delegate-tui --help'});
		}

		const here = await findHere();
		const session = await readLastSession(here);
		if (!isAtTerminal()) {
			await printStatus(here, false);
			return;
		}

		if (!isActive(session)) {
			throw new Failure('missing', 'No session is active in this repository.', {
				hint: 'delegate-tui run PLAN.yaml starts one; delegate-tui demo shows what that is like',
			});
		}

		await wakeSupervisor(here, session);
		await showSession(here, session, await requireConfig(here.repository.root));
	});
};
