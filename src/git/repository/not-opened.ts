import {Failure} from '../../lib/failure.ts';
import {type GitResult, gitsWords} from '../process/result.ts';

/** Says why git found no repository in a folder, or would not open the one that it found. */
export const notOpened = (result: GitResult): Failure =>
	new Failure('missing', `No git repository could be opened here: ${gitsWords(result)}`, {
		hint: hintFor(result),
	});

/** For a repository of another owner git itself names the command that lets it be opened. */
const hintFor = ({stderr}: GitResult): string => {
	const [command] = /git config --global --add safe\.directory .+/.exec(stderr) ?? [];
	return command === undefined
		? 'Go to a git repository, or make one: git init'
		: `If you trust its owner: ${command}`;
};
