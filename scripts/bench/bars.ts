import {escaped} from '../pictures/svg.ts';

/** A figure as a share of its limit. */
export type Bar = {readonly label: string; readonly share: number};

const row = {height: 22, label: 330, limit: 560};

/** Draws figures as bars beside the line of their limit. */
export const barsOf = (title: string, bars: readonly Bar[]): string => {
	const height = 40 + bars.length * row.height + 10;
	const scale = row.limit - row.label;
	const drawn = bars.flatMap(({label, share}, index) => {
		const top = 40 + index * row.height;
		const width = Math.min(share, 1.8) * scale;
		return [
			`<text x="${row.label - 8}" y="${top + 13}" text-anchor="end">${escaped(label)}</text>`,
			`<rect x="${row.label}" y="${top}" width="${width.toFixed(1)}" height="16" fill="${share <= 1 ? '#4a8f5c' : '#b5533c'}"/>`,
			`<text x="${(row.label + width + 6).toFixed(1)}" y="${top + 13}">${(share * 100).toFixed(0)} %</text>`,
		];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${height}" role="img" font-family="sans-serif" font-size="12" fill="#555">`,
		`<title>${escaped(title)}</title>`,
		`<text x="10" y="20">${escaped(title)}</text>`,
		...drawn,
		`<path d="M${row.limit} 34V${height - 6}" stroke="#888" stroke-dasharray="3 3"/>`,
		'</svg>\n',
	].join('\n');
};
