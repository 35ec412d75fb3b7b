import type {Model} from '../../../client/model.ts';
import type {Evidence} from '../../../events/finding.ts';
import {sanitize} from '../../../lib/text/sanitize.ts';
import type {ItemOf} from '../../../state/item.ts';
import {fact, type Row, row, section, span} from '../../rows/row.ts';
import {widthOf} from '../../rows/text.ts';
import {changeRows} from './change-rows.ts';
import {sideKey} from './conflict-papers.ts';
import {paperOf} from './work.ts';

type Conflict = ItemOf<'conflict'>;

/** What collides where, and what each side did to that file. */
export const conflictFacts = (model: Model, item: Conflict, columns: number): readonly Row[] => [
	...section('What collides', [
		...fact('File', item.path, columns, 'strong'),
		...fact('Git says', item.summary, columns),
		...(item.evidence ?? []).slice(0, mostPlaces).flatMap(one => placeRows(item, one, columns)),
	]),
	...manualRows(item, columns),
	...versions(model, item, columns),
];

/** The rest is in what each side did, below. */
const mostPlaces = 4;

const placeRows = (
	item: Conflict,
	{side, path, line, text, removed}: Evidence,
	columns: number,
): readonly Row[] =>
	fact(
		item[side].join(' and '),
		[
			line === undefined ? path : `${path}:${line}`,
			...(removed ? ['(removed)'] : []),
			...(text === undefined ? [] : [text.trim()]),
		].join('  '),
		columns,
	);

const manualRows = ({manual, path}: Conflict, columns: number): readonly Row[] => {
	switch (manual.phase) {
		case 'none':
			return [];
		case 'wanted':
			return section('Resolving by hand', [row('The folder is being made …', 'dim')]);
		case 'open':
			return section('Resolving by hand', [
				...fact('1. Edit', `${manual.folder}/files/${path}`, columns, 'strong'),
				...fact(
					'',
					'until no conflict marker is left; your editor opens it from here, and each whole version lies beside it',
					columns,
				),
				...fact('2. Then', 'take "done" here; all is put together anew with it', columns),
			]);
	}
};

/** From here on two diffs are easier to compare side by side than one below the other. */
const sideBySide = 120;

const versions = (model: Model, item: Conflict, columns: number): readonly Row[] => {
	if (columns < sideBySide) {
		return [...sideRows(model, item, 'a', columns), ...sideRows(model, item, 'b', columns)];
	}

	const half = Math.floor((columns - 3) / 2);
	return beside(sideRows(model, item, 'a', half), sideRows(model, item, 'b', half), half);
};

const sideRows = (
	model: Model,
	item: Conflict,
	side: 'a' | 'b',
	columns: number,
): readonly Row[] => {
	const names = item[side].map(name => (name === 'target' ? targetName(model) : name));
	return [
		row(`${names.join(' and ')} did this`, 'strong'),
		...changeRows(paperOf(model, sideKey(item, side)), columns),
	];
};

const targetName = ({state}: Model): string =>
	state.session === null ? 'target' : `target (${state.session.target})`;

const beside = (left: readonly Row[], right: readonly Row[], columns: number): readonly Row[] =>
	Array.from(
		{length: Math.max(left.length, right.length)},
		(_, index): Row => [
			...cutRow(left[index] ?? [], columns),
			span(' │ ', 'dim'),
			...cutRow(right[index] ?? [], columns),
		],
	);

/** Returns a row as exactly that many columns. */
const cutRow = (cells: Row, columns: number): Row => {
	const kept: {text: string; tone: Row[number]['tone']}[] = [];
	let left = columns;
	for (const {text, tone} of cells) {
		const safe = sanitize(text);
		const width = widthOf(safe);
		kept.push({text: width <= left ? safe : cutText(safe, left), tone});
		left -= Math.min(width, left);
	}

	return [...kept, span(' '.repeat(left))];
};

const cutText = (text: string, columns: number): string => {
	let kept = '';
	for (const character of text) {
		if (widthOf(kept + character) > columns) {
			break;
		}

		kept += character;
	}

	return kept + ' '.repeat(columns - widthOf(kept));
};
