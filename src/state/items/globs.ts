import {whyBadGlob} from '../agent/scope.ts';

/** Returns the globs or paths that a note lists, separated by spaces or commas; a comma between braces belongs to its glob. */
export const globsIn = (note: string): readonly string[] =>
	note.match(/(?:\{[^\s{}]*\}|[^\s,])+/g) ?? [];

/** Says what is wrong with the first glob of a note that can't be read; it would allow nothing. */
export const whyBadGlobs = (note: string): string | undefined =>
	globsIn(note)
		.map(glob => ({glob, why: whyBadGlob(glob)}))
		.filter(({why}) => why !== undefined)
		.map(({glob, why}) => `The glob "${glob}" ${why}.`)[0];
