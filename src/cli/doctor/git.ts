import {gitVersion, isNewEnough} from '../../git/process/version.ts';
import {asFailure} from '../../lib/failure.ts';
import type {Check} from './check.ts';

/** Is there a git that can merge without a checkout? */
export const checkGit: Check = async () => {
	try {
		const version = await gitVersion();
		return [
			isNewEnough(version)
				? {check: 'git', level: 'good', text: `git ${version}`}
				: {
						check: 'git',
						level: 'bad',
						text: `git ${version} is too old: 2.38 or newer is needed`,
						hint: 'install a newer git',
					},
		];
	} catch (error) {
		const {message, hint = 'install git 2.38 or newer'} = asFailure(error);
		return [{check: 'git', level: 'bad', text: message, hint}];
	}
};
