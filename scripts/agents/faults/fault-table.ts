import {type Fault, faults} from '../../../fixtures/models/faults.ts';
import {agentVendors} from '../../../src/events/vendors.ts';
import {cellsOf, isTableLine, printTable} from '../../../src/lib/text/markdown-table.ts';
import {isSame, omit} from '../../../src/lib/values.ts';
import {incidents} from './incidents.ts';
import type {FaultTrial, Sight} from './try-fault.ts';

/** Returns the table fault × agent, as Markdown: what a person sees, and after how many seconds. Cells that were not tried come from an earlier table, if there is one. */
export const faultTable = (
	trials: readonly FaultTrial[],
	rows: readonly Pick<Fault, 'title'>[] = [...faults, ...incidents],
	earlier = '',
): string => {
	const before = cellsIn(earlier);
	const vendors = agentVendors.filter(
		vendor => before.has(vendor) || trials.some(trial => trial.vendor === vendor),
	);
	const cells = rows.map(({title}) => [
		title,
		...vendors.map(vendor => {
			const trial = trials.find(one => one.vendor === vendor && one.fault.title === title);
			return trial === undefined ? (before.get(vendor)?.get(title) ?? '') : cellOf(trial);
		}),
	]);
	return printTable([
		['', ...vendors.map(vendor => `\`${vendor}\``)],
		...cells.filter(([, ...others]) => others.some(cell => cell !== '')),
	]);
};

/** Returns the cells of a printed table, by vendor and title. */
const cellsIn = (table: string): ReadonlyMap<string, ReadonlyMap<string, string>> => {
	const [head = [], ...rows] = table.split('\n').filter(isTableLine).map(cellsOf);
	return new Map(
		head
			.slice(1)
			.map((name, index) => [
				name.replaceAll('`', ''),
				new Map(rows.map(([title = '', ...cells]) => [title, cells[index] ?? ''])),
			]),
	);
};

/** Returns whether each fault was visible, and only with true descriptions. */
export const isTold = (trials: readonly FaultTrial[]): boolean =>
	trials.every(({sights}) => sights.length > 0 && sights.every(({isTrue}) => isTrue));

const cellOf = (trial: FaultTrial): string => {
	if (trial.why !== undefined) {
		return `could not be tried: ${cut(trial.why)}`;
	}

	const runs = runsOf(trial.sights);
	return runs.length === 0 ? 'FALSE: nothing' : runs.map(sightText).join('; ');
};

/** Groups consecutive equal sights. */
const runsOf = (sights: readonly Sight[]): readonly (readonly [Sight, ...Sight[]])[] => {
	const runs: [Sight, ...Sight[]][] = [];
	for (const sight of sights) {
		const last = runs.at(-1);
		if (last?.[0].kind === 'waits' && isSame(omit(last[0], 'after'), omit(sight, 'after'))) {
			last.push(sight);
		} else {
			runs.push([sight]);
		}
	}

	return runs;
};

const sightText = ([{after, kind, text, isTrue}, ...again]: readonly [
	Sight,
	...Sight[],
]): string => {
	const words = kind === 'failed' ? `failed, ${cut(text)}` : text;
	const often = again.length === 0 ? '' : ` (${again.length + 1} times)`;
	const when = after === undefined ? '' : `${after} s `;
	return `${isTrue ? '' : 'FALSE: '}${when}${words}${often}`;
};

/** Returns the headline of a sight, without the service's own words. */
const cut = (text: string): string => text.split(/[:;]/)[0]?.trim() ?? text;
