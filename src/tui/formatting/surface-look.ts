import type {SurfaceChange} from '../../events/surface.ts';
import {surfaceLines} from '../../state/merge/surface-notes.ts';
import {bullets, type Row, section} from '../rows/row.ts';

/** Returns what of a work runs by itself or leads elsewhere, to stand above all else there is to know of it; no rows for most. */
export const surfaceRows = (
	surface: readonly SurfaceChange[] | undefined,
	columns: number,
): readonly Row[] =>
	section(
		'Look first at what runs by itself or leads elsewhere',
		bullets(surfaceLines(surface ?? []), columns, 'warn'),
	);

/** Words that stand beside files wherever they are listed, by path. */
export type Marks = ReadonlyMap<string, string>;

/** Returns what to say beside the files of the surface. */
export const surfaceMarks = (surface: readonly SurfaceChange[] | undefined): Marks => {
	const marks = new Map<string, string>();
	for (const {path, as} of surface ?? []) {
		// The reader of a diff knows no bytes that are not UTF-8.
		const name = path.toWellFormed();
		const known = marks.get(name);
		marks.set(name, known === undefined ? words[as] : `${known}, ${words[as]}`);
	}

	return marks;
};

const words: Readonly<Record<SurfaceChange['as'], string>> = {
	runs: 'runs by itself',
	link: 'link',
	submodule: 'submodule',
};
