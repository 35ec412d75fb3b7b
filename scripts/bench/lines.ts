import {escaped} from '../pictures/svg.ts';

/** A line of a plot, as shares of a reference value. */
export type Line = {readonly label: string; readonly shares: readonly number[]};

const colours = ['#4a8f5c', '#3b6ea5', '#b5533c', '#8a6d3b'];

/** Draws lines over the minutes of their points. */
export const linesOf = (
	title: string,
	minutes: readonly number[],
	lines: readonly Line[],
): string => {
	const last = minutes.at(-1) || 1;
	const x = (index: number): string => (50 + ((minutes[index] ?? 0) / last) * 650).toFixed(1);
	const y = (share: number): string => (230 - share * 100).toFixed(1);
	const drawn = lines.flatMap(({label, shares}, index) => {
		const colour = colours[index % colours.length];
		const points = shares.map((share, at) => `${x(at)},${y(Math.min(share, 2))}`);
		return [
			`<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
			`<text x="${60 + index * 160}" y="250" fill="${colour}">${escaped(label)}</text>`,
		];
	});
	return [
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 260" role="img" font-family="sans-serif" font-size="12" fill="#555">',
		`<title>${escaped(title)}</title>`,
		`<text x="10" y="20">${escaped(title)}</text>`,
		...[0, 1, 2].map(
			share =>
				`<path d="M50 ${y(share)}H700" stroke="#ccc"/><text x="40" y="${y(share)}" text-anchor="end">×${share}</text>`,
		),
		...drawn,
		'</svg>\n',
	].join('\n');
};
