import {valueText} from '../../lib/text/words.ts';

/** Importance of a text for a decision; each reader has its own look for it. */
export type Weight = 'plain' | 'strong' | 'dim' | 'good' | 'bad' | 'warn';

export type Fact = {readonly name: string; readonly text: string; readonly weight?: Weight};

/**
A part of the description of an item, without colours and columns; each reader draws it in its own way.

- `titled`: repeats the item's title, for a screen that cuts it
- `part`: blocks of one agent of several
- `quote`: text of others, which must not be mistaken for ours; `exact` text keeps its spaces
- `list`: texts; `name` is the label of each where there are no headings
*/
export type Block =
	| {readonly block: 'titled'; readonly blocks: readonly Block[]}
	| {readonly block: 'part'; readonly heading: string; readonly blocks: readonly Block[]}
	| {readonly block: 'facts'; readonly heading?: string; readonly facts: readonly Fact[]}
	| {
			readonly block: 'quote';
			readonly heading: string;
			readonly texts: readonly string[];
			readonly weight?: Weight;
			readonly exact?: true;
	  }
	| {
			readonly block: 'list';
			readonly heading: string;
			readonly name?: string;
			readonly texts: readonly string[];
			readonly weight?: Weight;
	  }
	| {
			readonly block: 'note';
			readonly heading?: string;
			readonly text: string;
			readonly weight?: Weight;
	  };

export const factAbout = (name: string, value: unknown, weight?: Weight): readonly Fact[] => {
	const text = value === undefined || value === null ? '' : valueText(value);
	return text === '' ? [] : [{name, text, ...(weight === undefined ? {} : {weight})}];
};

/** Returns a quotation, or none for an empty one. */
export const quote = (
	heading: string,
	said: string | readonly string[] | undefined | null,
	more: {readonly weight?: Weight; readonly exact?: true} = {},
): Block => ({block: 'quote', heading, texts: [said ?? []].flat().filter(Boolean), ...more});

/** Returns blocks as lines for a list of items, each a sentence or a fact. */
export const blockLines = (blocks: readonly Block[]): readonly string[] => blocks.flatMap(lines);

const lines = (block: Block): readonly string[] => {
	switch (block.block) {
		case 'titled':
			return [];
		case 'part':
			return [block.heading, ...blockLines(block.blocks).map(line => `  ${line}`)];
		case 'facts':
			return block.facts.map(({name, text}) => `${name}: ${text}`);
		case 'quote':
			return block.texts.flatMap(text => quoted(block, text));
		case 'list':
			return block.texts.map(text =>
				block.name === '' ? text : `${block.name ?? block.heading}: ${text}`,
			);
		case 'note':
			return [block.text];
	}
};

/** Returns a quotation; several lines are kept, behind a bar that distinguishes them from ours; in exact text, such as a path, line ends are escaped. */
const quoted = (
	{heading, exact = false}: {readonly heading: string; readonly exact?: boolean},
	text: string,
): readonly string[] => {
	const said = text.trimEnd().split('\n');
	return exact || said.length === 1
		? [`${heading}: ${exact ? text : text.trimEnd()}`]
		: [`${heading}:`, ...said.map(line => `│ ${line}`)];
};
