import {tmpdir} from 'node:os';
import {Failure} from '../../lib/failure.ts';
import {lineOf} from './result.ts';
import {sealed} from './sealed.ts';

/** Returns git's version, for example `2.39.5`. */
export const gitVersion = async (): Promise<string> => {
	const [, , version = ''] = lineOf(await sealed({gitDir: tmpdir()}, ['version'])).split(' ');
	return version;
};

/** @throws `Failure` of kind `missing` when git can't merge without a checkout: it needs 2.38. */
export const requireGitVersion = async (): Promise<void> => {
	const version = await gitVersion();
	if (!isNewEnough(version)) {
		throw new Failure('missing', `Git ${version} is too old: 2.38 or newer is needed.`, {
			hint: 'Install a newer git.',
		});
	}
};

export const isNewEnough = (version: string): boolean => {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > 2 || (major === 2 && minor >= 38);
};
