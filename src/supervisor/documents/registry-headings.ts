import {none} from './session-text.ts';

const title = '# Delegation Registry';
const active = '## Active Session';
const archive = '## Archived Sessions';

/** Where the headings begin that ours stands below; -1 where there is none. */
export type Headings = {
	readonly title: number;
	readonly active: number;
	readonly archive: number;
};

/** Finds the headings of the registry, which count from its title on, and not within a block of code. */
export const headingsOf = (text: string): Headings => {
	const prose = text.replaceAll(/^(```|~~~).*?^\1/gms, block => block.replaceAll(/[^\n]/g, ' '));
	const from = Math.max(0, lineIn(prose, title));
	return {
		title: lineIn(prose, title),
		active: lineIn(prose, active, from),
		archive: lineIn(prose, archive, from),
	};
};

const lineIn = (text: string, line: string, from = 0): number => {
	const found = new RegExp(`^${line}[ \\t]*$`, 'm').exec(text.slice(from));
	return found === null ? -1 : from + found.index;
};

/** Returns what stands below a heading up to the next one of its level; `start` is where its line ends. */
export const sectionOf = (
	text: string,
	heading: number,
): {readonly start: number; readonly end: number} => {
	const start = heading + (/$/m.exec(text.slice(heading))?.index ?? 0);
	const next = text.slice(start).search(/^#{1,2} /m);
	return {start, end: next === -1 ? text.length : start + next};
};

/** Returns a text with those headings added that it lacks: ours before the archive, the archive at the end. */
export const withHeadings = (existing: string): string => {
	const found = headingsOf(existing);
	const added = [
		...(found.title === -1 && found.active === -1 ? [title] : []),
		...(found.active === -1 ? [active, none] : []),
	];
	const at = found.archive === -1 || added.length === 0 ? existing.length : found.archive;
	return [
		existing.slice(0, at).trimEnd(),
		...added,
		existing.slice(at).trimEnd(),
		...(found.archive === -1 ? [archive] : []),
	]
		.filter(part => part !== '')
		.join('\n\n');
};
