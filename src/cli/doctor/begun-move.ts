import {isBegun, leftOf} from '../../git/target/begun-move.ts';
import type {Check} from './check.ts';

/** Is there a move of the person's branch that nobody saw come to its end? */
export const checkBegunMove: Check = async ({here}) => {
	if (here === undefined || !(await isBegun(here.repository))) {
		return [];
	}

	const left = (await leftOf(here.repository)).join(' ');
	return [
		{
			check: 'repository',
			level: 'warn',
			text: 'a merge or an undo was begun here and is not over yet',
			hint: `if none is under way, the next one clears it up; to give it up, see git status, and when your files are as you want them: rm -r ${left}`,
		},
	];
};
