import {bar} from '../../lib/text/quoted-block.ts';
import {type Row, row, span, type Tone} from './row.ts';
import {wrapped} from './text.ts';
import {wrapRow} from './wrap-row.ts';

/** Returns an agent's text as rows behind a bar, so that it can't be mistaken for the screen's own text. */
export const quoted = (text: string, columns: number, tone: Tone = 'plain'): readonly Row[] =>
	wrapped(text, columns - bar.length).map(line => [span(bar, 'dim'), span(line, tone)]);

/** Returns a command or a path as such rows, with all its spaces. */
export const quotedExactly = (
	text: string,
	columns: number,
	tone: Tone = 'plain',
): readonly Row[] =>
	text
		.split('\n')
		.flatMap(line => wrapRow(row(line, tone), columns - bar.length))
		.map(cells => [span(bar, 'dim'), ...cells]);
