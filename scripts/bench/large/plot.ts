import {escaped} from '../../pictures/svg.ts';

/** A figure over several sizes. */
type Series = {
	readonly name: string;
	readonly unit: string;
	readonly values: readonly number[];
};

const panel = {width: 250, height: 120, left: 46, top: 30} as const;
const columns = 3;

/** Draws each figure over the sizes, both logarithmically, so that linear growth rises by one step for each. */
export const linesOf = (all: readonly Series[], sizes: readonly number[]): string => {
	const height = Math.ceil(all.length / columns) * (panel.height + 50) + 10;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * (panel.width + 30)} ${height}" role="img" font-family="sans-serif" font-size="11" fill="#555">`,
		'<title>How each figure grows with the number of files</title>',
		...all.flatMap((series, index) => {
			const x = (index % columns) * (panel.width + 30);
			const y = Math.floor(index / columns) * (panel.height + 50);
			return [
				`<g transform="translate(${x} ${y + panel.top})">`,
				...panelOf(series, sizes),
				'</g>',
			];
		}),
		'</svg>\n',
	].join('\n');
};

const panelOf = ({name, unit, values}: Series, sizes: readonly number[]): readonly string[] => {
	const lowest = Math.floor(Math.log10(Math.min(...values)));
	const steps = Math.max(2, Math.ceil(Math.log10(Math.max(...values)) - lowest));
	const place = (value: number, at: number): readonly [number, number] => [
		panel.left + ((at + 0.5) * (panel.width - panel.left)) / sizes.length,
		panel.height - ((Math.log10(value) - lowest) / steps) * panel.height,
	];
	const points = values.map(place);
	return [
		`<text x="${panel.left}" y="-8" fill="#333">${escaped(`${name}, ${unit}`)}</text>`,
		...Array.from({length: steps + 1}, (_, step) => {
			const y = panel.height - (step / steps) * panel.height;
			return `<path d="M${panel.left} ${y}H${panel.width}" stroke="#ddd"/><text x="${panel.left - 6}" y="${y + 4}" text-anchor="end">${10 ** (lowest + step)}</text>`;
		}),
		...sizes.map(
			(size, at) =>
				`<text x="${place(1, at)[0]}" y="${panel.height + 14}" text-anchor="middle">${size}</text>`,
		),
		`<path d="M${points.map(point => point.join(' ')).join('L')}" fill="none" stroke="#3a6ea5" stroke-width="2"/>`,
		...points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="#3a6ea5"/>`),
	];
};
