/**
Returns a name or a path in a form that is equal for all that some file system takes for the same name.

Both case mappings are needed, since some letters have only one of them. HFS+ ignores the
characters that are removed.
*/
export const fold = (text: string): string =>
	text
		.normalize('NFC')
		.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
		.toUpperCase()
		.toLowerCase();
