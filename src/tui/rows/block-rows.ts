import type {Block} from '../../client/texts/block.ts';
import {quoted, quotedExactly} from './quoted.ts';
import {blank, bullets, fact, paragraph, type Row, section} from './row.ts';

/** Returns blocks as rows, each under its heading. */
export const blockRows = (blocks: readonly Block[], columns: number): readonly Row[] =>
	blocks.flatMap(block => rowsOf(block, columns));

const rowsOf = (block: Block, columns: number): readonly Row[] => {
	switch (block.block) {
		case 'titled':
			return blockRows(block.blocks, columns);
		case 'part':
			return section(block.heading, blockRows(block.blocks, columns));
		case 'facts': {
			const rows = block.facts.flatMap(({name, text, weight}) => fact(name, text, columns, weight));
			return block.heading === undefined ? rows : section(block.heading, rows);
		}

		case 'quote': {
			const draw = block.exact ? quotedExactly : quoted;
			const rows = block.texts.flatMap(text => draw(text, columns, block.weight));
			return section(block.heading, rows);
		}

		case 'list':
			return section(block.heading, bullets(block.texts, columns, block.weight));
		case 'note': {
			const rows = paragraph(block.text, columns, block.weight);
			return block.heading === undefined ? [...rows, blank] : section(block.heading, rows);
		}
	}
};
