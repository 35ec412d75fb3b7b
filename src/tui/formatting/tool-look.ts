import type {Diff, Tool} from '../../client/activity/account.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {elapsedMs} from '../../lib/time.ts';
import {type DiffFile, diffOf} from '../rows/diff.ts';
import {type Row, type Span, span, type Tone} from '../rows/row.ts';

/** Where an agent is, as far as it matters to whether a tool still runs. */
export type Presence = {
	/** The turn that it is in; nothing when it is in none. */
	readonly turn: number | undefined;
	readonly now: string;
};

/** How a tool call stands; one that its turn has left behind has ended, whatever was told of it. */
export const standingOf = (
	{status, turn}: Tool,
	presence: Presence,
): 'running' | 'done' | 'failed' | 'left' => {
	switch (status) {
		case 'completed':
			return 'done';
		case 'failed':
			return 'failed';
		default:
			return turn === presence.turn ? 'running' : 'left';
	}
};

const looks: Readonly<Record<ReturnType<typeof standingOf>, readonly [string, Tone]>> = {
	running: ['●', 'info'],
	done: ['✓', 'good'],
	failed: ['✗', 'bad'],
	left: ['–', 'dim'],
};

/** Returns a tool call in one row: how it stands, what it is, how long it took, what it changed. */
export const toolRow = (tool: Tool, presence: Presence): Row => {
	const standing = standingOf(tool, presence);
	const [sign, tone] = looks[standing];
	const took = tookMs(tool, presence, standing);
	return [
		span(`${sign} `, tone),
		span(toolName(tool), standing === 'running' ? 'info' : 'dim'),
		...(took === undefined ? [] : [span(`  ${tookText(took)}`, 'dim')]),
		// What failed has changed nothing.
		...(standing === 'failed' ? [] : sums(tool.diffs)),
	];
};

/** Returns what a tool call is called; some makes name it by no more than the tool. */
export const toolName = ({title, tool, command, paths}: Tool): string => {
	const [path] = paths;
	const about = command ?? (paths.length > 1 ? `${path} and ${paths.length - 1} more` : path);
	const said = title.replaceAll(/\s+/g, ' ').trim();
	const name = said === '' ? tool : said === path ? `${tool} ${said}` : said;
	return about === undefined || name.includes(about) || name.includes(' ')
		? name
		: `${name} ${about.replaceAll(/\s+/g, ' ')}`;
};

const tookMs = (
	{since, durationMs}: Tool,
	{now}: Presence,
	standing: ReturnType<typeof standingOf>,
): number | undefined => (standing === 'running' ? elapsedMs(since, now) : durationMs);

/** Returns a duration; of short ones tenths of a second matter. */
const tookText = (ms: number): string =>
	ms < 10_000 ? `${(Math.max(0, ms) / 1000).toFixed(1)}s` : formatDuration(ms);

const files = new WeakMap<Diff, DiffFile>();

/** Returns a change that an agent told of, read once. */
export const fileOf = (diff: Diff): DiffFile => {
	const known = files.get(diff) ?? diffOf(diff.path, diff.oldText, diff.newText);
	files.set(diff, known);
	return known;
};

const sums = (diffs: readonly Diff[]): readonly Span[] => {
	const sum = (count: (file: DiffFile) => number) =>
		diffs.reduce((total, diff) => total + count(fileOf(diff)), 0);
	return diffs.length === 0
		? []
		: [
				span(`  +${sum(({added}) => added)}`, 'added'),
				span(` −${sum(({removed}) => removed)}`, 'removed'),
			];
};
