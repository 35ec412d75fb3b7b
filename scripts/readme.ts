import {readFile, writeFile} from 'node:fs/promises';
import {planText} from '../src/cli/topics/plan.ts';
import {signalsTable} from '../src/signals/signals-table.ts';
import {composerActions} from '../src/tui/composer/keys.ts';
import {actions} from '../src/tui/keys.ts';
import {keysTable} from '../src/tui/keys-table.ts';

/** The keys that the screen itself names in its footer; `?` lists the rest. */
const keys = (): string => {
	const isNamed = ({label}: {readonly label?: string}): boolean => label !== undefined;
	return keysTable(actions.filter(isNamed), composerActions.filter(isNamed));
};

/** What of the README is written by the program, by the name that stands around it: `<!-- keys -->`. */
const parts: Readonly<Record<string, () => string>> = {
	keys,
	signals: signalsTable,
	plan: () => `\`\`\`yaml\n${planText}\n\`\`\``,
};

/**
Returns the text of the README with the keys, signals and plan of today in it, so that they are written down in one place only.

Throws when the text has no place for one of them.
*/
export const withPartsOfToday = (text: string): string => {
	let written = text;
	for (const [name, part] of Object.entries(parts)) {
		const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
		if (!place.test(written)) {
			throw new Error(`The README has no <!-- ${name} --> … <!-- /${name} -->.`);
		}

		written = written.replace(
			place,
			(_, start: string, end: string) => `${start}\n${part()}\n\n${end}`,
		);
	}

	return written;
};

if (import.meta.main) {
	await writeFile('README.md', withPartsOfToday(await readFile('README.md', 'utf8')));
}
