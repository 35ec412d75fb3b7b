import {readFile, writeFile} from 'node:fs/promises';
import {actions} from '../src/tui/keys.ts';
import {keysTable} from '../src/tui/keys-table.ts';

/** Where the keys stand in the README. */
const keysPart = /(<!-- keys -->\n)[\s\S]*(<!-- \/keys -->)/;

/**
Returns the text of the README with the keys of today in it, so that they are written down in one place only.

Those that the screen itself names in its footer; `?` lists the rest. Throws when the text has no place for them.
*/
export const withKeysOfToday = (text: string): string => {
	if (!keysPart.test(text)) {
		throw new Error('The README has no <!-- keys --> … <!-- /keys -->.');
	}

	const table = keysTable(actions.filter(({label}) => label !== undefined));
	return text.replace(keysPart, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
};

if (import.meta.main) {
	await writeFile('README.md', withKeysOfToday(await readFile('README.md', 'utf8')));
}
