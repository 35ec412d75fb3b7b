import {baseRef, unpinBase} from '../../../git/repository/base-ref.ts';
import {findDetachedSessions} from '../../../supervisor/past/detached-sessions.ts';
import type {Here} from '../../here.ts';
import type {Leftover} from './leftover.ts';

/**
Returns the pins of bases in the person's repository for which no state is found.

They are named and not removed: whoever sets another state folder now and then, or shares the repository, has a session by them that borrows from its base.
*/
export const lostBases = async ({repository, folder}: Here): Promise<readonly Leftover[]> =>
	(await findDetachedSessions(repository, folder))
		.filter(({kind}) => kind === 'lost')
		.map(({id}) => ({
			kind: 'base',
			text: `${baseRef(id)} in your repository, of a session that has no state below ${folder.path}`,
			bytes: 0,
			verdict: {
				kind: 'kept',
				why: `its state may be in another folder; if it is gone for good: git update-ref -d ${baseRef(id)}`,
			},
			remove: () => unpinBase(repository, id),
		}));
