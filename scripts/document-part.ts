/**
Returns a document with the part between `<!-- name -->` and `<!-- /name -->` replaced.

Throws if the text has no place for it.
*/
export const withPart = (
	document: string,
	{file, name}: {readonly file: string; readonly name: string},
	part: string,
): string => {
	const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(<!-- /${name} -->)`);
	if (!place.test(document)) {
		throw new Error(`${file} has no <!-- ${name} --> … <!-- /${name} -->.`);
	}

	return document.replace(
		place,
		(_, start: string, end: string) => `${start}\n${part.trimEnd()}\n\n${end}`,
	);
};
