import type {SurfaceChange} from '../../events/surface.ts';
import {counted} from '../../lib/text/counted.ts';
import {firstOf} from '../../lib/text/enumerated.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {takesWork} from '../../rules/commands/care.ts';
import type {Verb} from '../../rules/commands/choices.ts';
import type {Item} from '../../state/item.ts';
import type {Built} from '../../state/merge/merge.ts';
import {unseen} from './unseen.ts';
import type {Context} from './view.ts';

/**
Returns what a person is asked once more before they accept a work or have a result merged; nothing where there is no cause.

Causes are what runs by itself in a result and where it leads elsewhere, a check that it failed, and what of a diff they can't have read.
*/
export const secondYes = (
	context: Context,
	item: Item,
	verb: Verb | undefined,
): string | undefined => {
	const sentences = sentencesFor(context, item, verb);
	const question = item.kind === 'approval' ? 'Merge it with that?' : 'Accept it all the same?';
	return sentences.length === 0 ? undefined : [...sentences, question].join(' ');
};

const sentencesFor = (context: Context, item: Item, verb: Verb | undefined): readonly string[] => {
	const {merge} = context.model.state;
	if (item.kind === 'review' && verb !== undefined && takesWork({verb})) {
		return unseen(context, item);
	}

	if (item.kind !== 'approval' || verb !== 'approve' || merge.phase !== 'verified') {
		return [];
	}

	return [
		...surfaceSentence(merge.built),
		...(merge.verified.ok ? [] : ['Its check FAILED.']),
		...unseen(context, item),
	];
};

const surfaceSentence = ({surface = []}: Built): readonly string[] => {
	const pathsOf = (kind: SurfaceChange['as']): readonly string[] =>
		surface.flatMap(({as, path}) => (as === kind ? [path] : []));
	const [runs, links, submodules] = [pathsOf('runs'), pathsOf('link'), pathsOf('submodule')];
	const does = [
		...(runs.length === 0 ? [] : [`changes what runs by itself: ${named(runs)}`]),
		...brings(links, 'link'),
		...brings(submodules, 'submodule'),
	];
	return does.length === 0 ? [] : [`This result ${does.join('; and it ')}.`];
};

const brings = (paths: readonly string[], noun: string): readonly string[] =>
	paths.length === 0 ? [] : [`brings ${counted(paths.length, noun)}: ${named(paths)}`];

const named = (paths: readonly string[]): string => firstOf(paths.map(shortened), mostNamed);

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
