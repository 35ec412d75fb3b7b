import {Failure} from '../../lib/failure.ts';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {Repository} from './repository.ts';

/** Who a commit is by. */
export type Identity = {
	readonly name: string;
	readonly email: string;
};

/**
Returns the name and address that git would put on the person's own commits.

@throws `Failure` of kind `missing` when none is set; git's guess from the machine's name is not taken.
*/
export const identity = async (repository: Repository): Promise<Identity> => {
	const result = await user(
		repository.root,
		['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'],
		{expect: 'any'},
	);
	const match = /^(?<name>.*) <(?<email>[^<>]*)> \d+ [+-]\d+$/.exec(lineOf(result));
	const {name, email} = match?.groups ?? {};
	if (result.code !== 0 || !name || !email) {
		throw new Failure('missing', 'Git does not know your name and e-mail address.', {
			hint: 'git config --global user.name "Your Name" && git config --global user.email you@example.org',
		});
	}

	return {name, email};
};
