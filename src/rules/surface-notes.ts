import type {SurfaceChange} from '../events/surface.ts';

/** Returns a sentence for each change of the surface, what runs by itself before what leads elsewhere; of very many, how many more there are. */
export const surfaceNotes = (surface: readonly SurfaceChange[]): readonly string[] =>
	kinds.flatMap(([as, sentence, more]) => {
		const all = surface.filter(change => change.as === as);
		const left = all.length - mostTold;
		return [...all.slice(0, mostTold).map(sentence), ...(left > 0 ? [`${left} ${more}`] : [])];
	});

const mostTold = 10;

type Kind = readonly [
	as: SurfaceChange['as'],
	sentence: (change: SurfaceChange) => string,
	more: string,
];

const kinds: readonly Kind[] = [
	[
		'runs',
		({path, what}) => `${path} changes what runs by itself (${what}).`,
		'more changes are to what runs by itself.',
	],
	['link', ({path, what}) => `${path} is a link to “${what}”.`, 'more are links.'],
	['submodule', ({path, what}) => `${path} is a submodule, at ${what}.`, 'more are submodules.'],
];
