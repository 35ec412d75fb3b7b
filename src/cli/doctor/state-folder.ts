import {makeStateFolder} from '../../client/supervisor/make-state-folder.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure} from '../../lib/failure.ts';
import {stateFolder} from '../../supervisor/folder.ts';
import type {Check} from './check.ts';

/** Can the state be written where it is to lie? */
export const checkStateFolder: Check = async ({environment, here}) => {
	const path = here?.folder.path ?? stateFolder(environment);
	try {
		await makeStateFolder(path);
		return [{check: 'state', level: 'good', text: `state is kept in ${path}`}];
	} catch (error) {
		const {message, hint} = asFailure(error);
		return [{check: 'state', level: 'bad', text: message, ...defined({hint})}];
	}
};
