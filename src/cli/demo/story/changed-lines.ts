/** Returns the lines that a patch takes away and adds, of all its files or of those with these paths. */
export const changedLines = (patch: string, paths?: readonly string[]): string =>
	patch
		.split(/^(?=diff --git )/m)
		.filter(file => paths?.some(path => file.includes(`\n+++ b/${path}\n`)) ?? true)
		.flatMap(file => file.split('\n'))
		.filter(line => /^(?:-(?!--)|\+(?!\+\+))/.test(line))
		.join('\n');
