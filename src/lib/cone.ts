/**
Returns whether a checkout in git's cone mode contains a path: everything below its folders, and the files of their parents.

@param folders Without a trailing slash.
@see git-sparse-checkout(1)
*/
export const isInCone = (folders: readonly string[], path: string): boolean => {
	const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	return folders.some(
		folder =>
			above === '' || `${above}/`.startsWith(`${folder}/`) || folder.startsWith(`${above}/`),
	);
};

/** Returns the patterns of a cone mode checkout, as git writes them into `info/sparse-checkout`. */
export const conePatterns = (folders: readonly string[]): string => {
	const whole = folders.filter(folder => !folders.some(one => folder.startsWith(`${one}/`)));
	const above = whole.flatMap(folder =>
		folder.split('/').flatMap((_, depth, names) => names.slice(0, depth).join('/') || []),
	);
	const escaped = (folder: string) => `/${folder.replaceAll(/[\\*?[]/g, String.raw`\$&`)}/`;
	return [
		...['/*', '!/*/'],
		...[...new Set(above)].flatMap(folder => [escaped(folder), `!${escaped(folder)}*/`]),
		...new Set(whole.map(escaped)),
		'',
	].join('\n');
};
