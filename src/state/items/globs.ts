import {whyBadGlob} from '../agent/scope.ts';

/** Returns the globs or paths in a note, separated by spaces or commas; a comma in braces belongs to its glob. */
export const globsIn = (note: string): readonly string[] =>
	note.match(/(?:\{[^\s{}]*\}|[^\s,])+/g) ?? [];

/** Returns the error of the first invalid glob in a note; it would allow nothing. */
export const whyBadGlobs = (note: string): string | undefined =>
	globsIn(note)
		.map(glob => ({glob, why: whyBadGlob(glob)}))
		.filter(({why}) => why !== undefined)
		.map(({glob, why}) => `The glob "${glob}" ${why}.`)[0];
