import {printTable} from '../../src/lib/text/markdown-table.ts';
import {type Growth, growing, growthOf} from './growth-costs.ts';
import {figures, keep, occasion} from './keep.ts';

/** Measures costs at ten and a hundred times the size: prints a table, and stores it in `docs/bench`. */
export const benchGrowth = async (): Promise<void> => {
	const growths: Growth[] = [];
	for (const one of growing) {
		growths.push(...(await growthOf(one, 2)));
	}

	const table = printTable([
		['', 'at', 'CPU ms', '×10', '×100', 'it costs'],
		...growths.map(({what, does, sizes: [size], ms}) => [
			...[`${what}: ${does}`, String(size), ...ms.map(one => one.toFixed(1))],
			ms.map(one => `×${(one / (ms[0] ?? 1)).toFixed(0)}`).join(' '),
		]),
	]);
	console.log(table);
	const {date, machine} = occasion();
	await keep({
		'growth.json': figures({date, machine, growths}),
		'growth.md': `# What ten and a hundred times as much costs

Time of processors, the least of three, on ${date}: ${machine}. \`npm run bench -- growth\` writes this page; a test holds each
to less than the square.

${table}`,
	});
};
