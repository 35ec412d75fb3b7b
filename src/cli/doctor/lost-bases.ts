import {unpinBase} from '../../git/base-ref.ts';
import {Failure} from '../../lib/failure.ts';
import {strayedSessions} from '../../supervisor/past/strayed-sessions.ts';
import type {Here} from '../here.ts';
import type {Leftover} from './leftover.ts';

/** Returns the pins of bases in the person's repository that no state is left for: nothing borrows from them any more. */
export const lostBases = async (here: Here): Promise<readonly Leftover[]> =>
	(await lostIn(here)).map(id => ({
		kind: 'base',
		text: `refs/delegate/${id}/base in your repository, of a session that has no state below ${here.folder.path}`,
		bytes: 0,
		verdict: {kind: 'safe'},
		remove: async () => {
			if (!(await lostIn(here)).includes(id)) {
				throw new Failure('refused', `The base of ${id} is kept: there is state of it.`);
			}

			await unpinBase(here.repository, id);
		},
	}));

const lostIn = async ({repository, folder}: Here): Promise<readonly string[]> =>
	(await strayedSessions(repository, folder)).filter(({kind}) => kind === 'lost').map(({id}) => id);
