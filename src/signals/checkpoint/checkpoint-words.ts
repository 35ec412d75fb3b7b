import {isBlank} from '../fields/placeholder.ts';
import {OnlyExample} from '../fields/unreadable.ts';

/** Tells a form that isn't filled in: it lists its choices or has a blank for a value. */
export const refuseBlank = (section: string, value: string): void => {
	if (value.includes('|') || isBlank(value)) {
		throw new OnlyExample(`The ${section} of the checkpoint is not filled in.`);
	}
};

/** Items are bulleted, numbered, or paragraphs; a line below that isn't marked goes on with its item. */
export const itemsOf = (lines: readonly string[]): readonly string[] => {
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

/** Whether words say that there is nothing to say. */
export const isNone = (words: string): boolean =>
	/^(?:none(?: yet| so far| currently| at the moment| at this time)?|n\/a|nothing|no (?:blockers|questions|changes)|-+)?[.!]?$/i.test(
		words,
	);

/** A bullet, emphasis, code marks and the brackets of the format's own blanks are not part of a value. */
export const plainWords = (words: string): string => {
	const bare = words.trim().replace(/^- +/, '');
	const marked = /^([*`]{1,3})(.*)\1$/.exec(bare)?.[2] ?? bare.replace(/\*{1,3}$/, '').trimEnd();
	return /^\[([^[\]]*)\](%?)$/.exec(marked)?.slice(1).join('') ?? marked;
};

/** Returns the id in a banner's title, `[AGT-001]` with the brackets or without. */
export const agentOf = (title: string): string | undefined => {
	const id = (/^\[([^[\]]*)\]/.exec(title)?.[1] ?? title).trim();
	return id === '' ? undefined : id;
};
