/** The kinds of pictures that models read, by the ends of their names. */
export const imageTypes = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp',
} as const;

/** Returns the kind of a picture by its name. */
export const imageTypeOf = (path: string): string | undefined => {
	const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
	return Object.entries(imageTypes).find(([known]) => known === end)?.[1];
};
