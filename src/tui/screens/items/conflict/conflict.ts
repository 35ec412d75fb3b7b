import type {Model} from '../../../../client/model.ts';
import type {Evidence} from '../../../../events/finding.ts';
import type {ItemOf} from '../../../../state/item.ts';
import {arbiterDetail, arbiterOf} from '../../../../state/items/conflict/arbiter.ts';
import {type BreakageItem, isBreakage} from '../../../../state/items/conflict/breakage.ts';
import {fileFolderClashIn, pathToShow} from '../../../../state/items/conflict/paths.ts';
import type {State} from '../../../../state/state.ts';
import {beside, columnsBeside} from '../../../rows/beside.ts';
import {fact, type Row, row, section} from '../../../rows/row.ts';
import {changeRows} from '../work/change-rows.ts';
import {resourceOf} from '../work/work.ts';
import {sideKey} from './resources.ts';

type Conflict = ItemOf<'conflict'>;

/** What collides where, and what each side did to that file. */
export const conflictFacts = (model: Model, item: Conflict, columns: number): readonly Row[] => [
	...section(isBreakage(item) ? 'What breaks, although git merges it' : 'Conflict', [
		...(isBreakage(item) ? breakageRows(item, columns) : fileRows(item, columns)),
		...item.evidence.slice(0, mostLines).flatMap(one => evidenceRows(item, one, columns)),
	]),
	...manualRows(item, columns),
	...arbiterRows(model.state, item, columns),
	...versions(model, item, columns),
];

const fileRows = (item: Conflict, columns: number): readonly Row[] => [
	...fact('File', pathToShow(item), columns, 'strong'),
	...fact('Git says', item.summary, columns),
];

const breakageRows = (
	{type, rule, path, summary, confirmed, confidence}: BreakageItem,
	columns: number,
): readonly Row[] => [
	...fact('File', `${path}  ${type} ${rule}`, columns, 'strong'),
	...fact('What', summary, columns),
	...(confirmed === undefined
		? fact('Known by', `reading it, with ${confidence} confidence; no checker has a say`, columns)
		: fact('Confirmed', `${confirmed.by}: ${confirmed.text}`, columns, 'bad')),
];

/** The rest is in what each side did, below. */
const mostLines = 4;

const evidenceRows = (
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

const manualRows = (item: Conflict, columns: number): readonly Row[] => {
	const {manual, path} = item;
	const clash = fileFolderClashIn(item);
	const edited = clash === undefined ? `files/${path}` : 'files';
	const until = isBreakage(item)
		? 'until it is what it should be; the other files at which it shows lie beside it'
		: clash !== undefined
			? `give the file, or what stands in its way at ${clash.path}, another name there; all that lies there is taken`
			: 'hunk by hunk here, or in your editor until no conflict marker is left; each whole version lies beside it';
	switch (manual.phase) {
		case 'none':
			return [];
		case 'wanted':
			return section('Resolving by hand', [row('The folder is being made …', 'dim')]);
		case 'open':
			return section('Resolving by hand', [
				...fact('1. Edit', `${manual.folder}/${edited}`, columns, 'strong'),
				...fact('', until, columns),
				...fact('2. Then', 'take "done" here; all is put together again with it', columns),
			]);
	}
};

const arbiterRows = (state: State, item: Conflict, columns: number): readonly Row[] => {
	const arbiter = arbiterOf(state, item);
	if (arbiter === undefined) {
		return [];
	}

	const {agent, is, why, said, unheard, outside = []} = arbiterDetail(arbiter);
	const next = {
		'at work': `${agent} works on a proposal; the board shows it`,
		done: `go to "take:${agent}" and press p: what its proposal comes to, and what is left`,
		failed: `${agent} failed: ${why}`,
	}[is];
	return section('A neutral agent was asked', [
		...fact(
			is === 'done' ? 'Proposes' : 'Stands',
			next,
			columns,
			is === 'failed' ? 'bad' : 'plain',
		),
		...fact('Says', said, columns),
		...fact('Not told', unheard, columns, 'warn'),
		...fact('Reverted', outside.join(', '), columns, 'warn'),
	]);
};

/** From here on two diffs are easier to compare side by side than one below the other. */
const sideBySide = 120;

const versions = (model: Model, item: Conflict, columns: number): readonly Row[] => {
	if (columns < sideBySide) {
		return [...sideRows(model, item, 'a', columns), ...sideRows(model, item, 'b', columns)];
	}

	const half = columnsBeside(2, columns);
	return beside([sideRows(model, item, 'a', half), sideRows(model, item, 'b', half)], half);
};

const sideRows = (
	model: Model,
	item: Conflict,
	side: 'a' | 'b',
	columns: number,
): readonly Row[] => {
	return [
		row(`${sideName(model.state, item, side)} did this`, 'strong'),
		...changeRows(resourceOf(model, sideKey(item, side)), columns),
	];
};

/** Returns whose a side is, the target by the name of its branch. */
export const sideName = (
	{session}: State,
	item: Pick<Conflict, 'a' | 'b'>,
	side: 'a' | 'b',
): string =>
	item[side]
		.map(name => (name === 'target' && session !== null ? `target (${session.target})` : name))
		.join(' and ');
