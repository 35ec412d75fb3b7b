import {
	missingFilterHint,
	missingFilters,
	missingFilterText,
} from '../../git/filters/missing-filters.ts';
import type {Repository} from '../../git/repository/repository.ts';
import {missingSubmodules} from '../../git/worktree/submodules.ts';
import {firstOf} from '../../lib/text/words.ts';

/** A part that a checkout lacks, in words, and advice. */
type Lack = {readonly text: string; readonly hint: string};

/** Lists the parts of its commit that a checkout lacks: programs of filters, and submodules. */
export const lackOf = async (repository: Repository): Promise<readonly Lack[]> => {
	const [filters, submodules] = await Promise.all([
		missingFilters(repository.root),
		missingSubmodules(repository),
	]);
	const isOne = submodules.length === 1;
	return [
		...filters.map(filter => ({
			text: `${missingFilterText(filter)}: a change to ${filter.paths.length === 1 ? 'it' : 'them'} can’t be merged`,
			hint: missingFilterHint(filter),
		})),
		...(submodules.length === 0
			? []
			: [
					{
						text: `your checkout lacks the ${isOne ? 'submodule' : 'submodules'} ${firstOf(submodules, 3)}: agents find ${isOne ? 'an empty folder' : 'empty folders'} there`,
						hint: 'git submodule update --init --recursive',
					},
				]),
	];
};
