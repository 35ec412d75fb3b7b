import {z} from 'zod';
import type {Paper} from '../model.ts';

/** Papers as a screen got them, by their keys. */
export type Papers = Readonly<Record<string, Paper>>;

/** Name of the file in which a recording keeps what was shown of it; one paper a line. */
export const shownFile = 'shown.ndjson';

const line = z.object({
	paper: z.string(),
	lines: z.array(z.string()).readonly(),
	total: z.number(),
	cut: z.number().exactOptional(),
	remark: z.string().exactOptional(),
});

/** Lines kept of one paper: a recording is to be small, and says how much more there was. */
const keptLines = 400;

/** Returns papers as the text of that file; those that never came are left out. */
export const writeShown = (papers: Papers): string =>
	Object.entries(papers)
		.flatMap(([key, paper]) => (paper.phase === 'ready' ? [{paper: key, ...kept(paper)}] : []))
		.map(entry => `${JSON.stringify(entry)}\n`)
		.join('');

const kept = ({phase: _, lines, ...rest}: Extract<Paper, {phase: 'ready'}>) => ({
	lines: lines.slice(0, keptLines),
	...rest,
});

/** Returns the papers of such a text; what can't be read as one is passed over, since nothing depends on it. */
export const readShown = (text: string): Papers =>
	Object.fromEntries(
		text.split('\n').flatMap(entry => {
			const read = line.safeParse(parsed(entry));
			if (!read.success) {
				return [];
			}

			const {paper, ...rest} = read.data;
			return [[paper, {phase: 'ready', ...rest}]];
		}),
	);

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};
