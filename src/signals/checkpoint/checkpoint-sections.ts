import {isBlank, OnlyExample} from '../fields/unreadable.ts';
import {withoutSymbols} from '../parser/decoration.ts';

/** The fields and sections of a checkpoint, each with the format's exact spelling and others that agents use. */
const NAMES = {
	status: ['Status'],
	progress: ['Progress'],
	changes: ['Changes Made', 'Changes'],
	tests: ['Tests Run', 'Tests'],
	blockers: ['Blockers', 'Blocker'],
	questions: ['Questions for Parent', 'Questions'],
	request: ['Request'],
} as const;

/** A field or section of a checkpoint. */
export type Section = keyof typeof NAMES;

/** Lines by section; a value on the heading's own line comes first. */
export type Sections = ReadonlyMap<Section, readonly string[]>;

/**
Returns the section that a line opens, and the rest of the line.

A heading is `## Blockers`, `## 🚧 Blockers`, `**Blockers**`, `Blockers:` or `- Blockers: none`. A name without a colon needs `#` or emphasis, and a plain line needs the format's exact spelling, since prose in a section may begin with "Tests".
*/
export const headingOf = (
	line: string,
): {readonly section: Section; readonly rest: string} | undefined => {
	const [, mark = '', name = '', colon, rest = ''] =
		HEADING.exec(withoutSymbols(line.trim()).replace(LONGER, '$1')) ?? [];
	const section = SECTIONS.get(name.toLowerCase());
	const isMarked = mark.includes('#') || mark.includes('*');
	const isSpelled = colon !== undefined && FORMAT_NAMES.has(name);
	if (section === undefined || !(isMarked || isSpelled)) {
		return undefined;
	}

	return isMarked && colon === undefined && rest !== '' ? undefined : {section, rest};
};

/** Splits the lines of a checkpoint into sections; lines before the first heading are dropped. */
export const sectionsOf = (lines: readonly string[]): Sections => {
	const sections = new Map<Section, string[]>();
	let current: string[] | undefined;
	for (const line of lines) {
		const heading = headingOf(line);
		if (heading !== undefined) {
			current = sections.get(heading.section) ?? [];
			sections.set(heading.section, current);
			if (heading.rest !== '') {
				current.push(heading.rest);
			}
		} else if (/^\s*#{1,6} /.test(line)) {
			current = undefined;
		} else {
			current?.push(line);
		}
	}

	return sections;
};

/** Longer names precede their beginnings, so that they are matched whole. */
const HEADING = new RegExp(
	`^((?:[#*_]{1,6}|-) {0,3}(?:\\*{1,2})?)?(${Object.values(NAMES).flat().join('|')})(?:[*_]{1,2})?(:)?(?:[*_]{1,2})?\\s*(.*)$`,
	'i',
);

/** Words that agents add to a heading in the past tense: `## Changes Since Last Checkpoint`, but not `## Changes to come`. */
const LONGER =
	/^(#{1,6} {1,3}(?:Changes|Tests|Blockers|Questions)) (?:made|run|since|so|I|we|and|for|in)\b[^:]*$/i;

const SECTIONS: ReadonlyMap<string, Section> = new Map(
	(Object.keys(NAMES) as Section[]).flatMap(section =>
		NAMES[section].map(name => [name.toLowerCase(), section] as const),
	),
);

const FORMAT_NAMES: ReadonlySet<string> = new Set(Object.values(NAMES).map(([name]) => name));

/** Refuses an empty form: one that lists its choices or has a blank for a value. */
export const refuseBlank = (section: string, value: string): void => {
	if (value.includes('|') || isBlank(value)) {
		throw new OnlyExample(`The ${section} of the checkpoint is not filled in.`);
	}
};

/** Returns the items of a section: bulleted, numbered, or paragraphs; an unmarked line below continues its item. */
export const sectionItems = (lines: readonly string[]): readonly string[] => {
	const items: string[] = [];
	let goesOn = false;
	for (const line of lines) {
		const [, item] = /^\s*(?:[-*•]|\d{1,3}[.)]) +(.*)$/.exec(line) ?? [];
		const words = (item ?? line).trim();
		if (item === undefined && goesOn && words !== '') {
			items.push(`${items.pop() ?? ''} ${words}`);
		} else if (words !== '') {
			items.push(words);
		}

		goesOn = words !== '';
	}

	return items.filter(item => !isNone(plainWords(item)));
};

/** Returns whether words mean that a section is empty. */
export const isNone = (words: string): boolean =>
	/^(?:none(?: yet| so far| currently| at the moment| at this time)?|n\/a|nothing|no (?:blockers|questions|changes)|-+)?[.!]?$/i.test(
		words,
	);

/** Removes a bullet, emphasis, code marks and the brackets of the format's blanks from a value. */
export const plainWords = (words: string): string => {
	const bare = words.trim().replace(/^- +/, '');
	const marked = /^([*`]{1,3})(.*)\1$/.exec(bare)?.[2] ?? bare.replace(/\*{1,3}$/, '').trimEnd();
	return /^\[([^[\]]*)\](%?)$/.exec(marked)?.slice(1).join('') ?? marked;
};

/** Returns the id in a banner's title, `[AGT-001]` with the brackets or without. */
export const bannerAgent = (title: string): string | undefined => {
	const id = (/^\[([^[\]]*)\]/.exec(title)?.[1] ?? title).trim();
	return id === '' ? undefined : id;
};
