import type {SurfaceChange} from '../../events/surface.ts';
import {sanitize} from '../../lib/sanitize.ts';
import type {Item} from '../../state/item.ts';
import type {State} from '../../state/state.ts';
import {counted} from '../rows/text.ts';

/** Returns what a person is asked once more before such a result is merged: what runs by itself in it, and where it leads elsewhere; nothing for most. */
export const secondYes = ({merge}: State, item: Item, choice: string): string | undefined => {
	if (item.kind !== 'approval' || choice !== 'approve' || !('built' in merge)) {
		return undefined;
	}

	const {surface = []} = merge.built;
	const pathsOf = (kind: SurfaceChange['as']): readonly string[] =>
		surface.flatMap(({as, path}) => (as === kind ? [path] : []));
	const [runs, links, submodules] = [pathsOf('runs'), pathsOf('link'), pathsOf('submodule')];
	const does = [
		...(runs.length === 0 ? [] : [`changes what runs by itself: ${named(runs)}`]),
		...brings(links, 'link'),
		...brings(submodules, 'submodule'),
	];
	return does.length === 0
		? undefined
		: `This result ${does.join('; and it ')}. Merge it with that?`;
};

const brings = (paths: readonly string[], noun: string): readonly string[] =>
	paths.length === 0 ? [] : [`brings ${counted(paths.length, noun)}: ${named(paths)}`];

const named = (paths: readonly string[]): string => {
	const names = paths.slice(0, mostNamed).map(shortened);
	const left = paths.length - names.length;
	return `${names.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
};

/** As many as fit into the smallest screen; all of them stand above the question. */
const mostNamed = 3;

/** The end of a long path tells more than its beginning. */
const shortened = (path: string): string => {
	const characters = [...sanitize(path)];
	return characters.length <= longestName
		? characters.join('')
		: `…${characters.slice(1 - longestName).join('')}`;
};

/** In characters. */
const longestName = 40;
