import type {Diff, ToolUse} from '../../client/activity/account.ts';
import {elapsedMs, formatDuration, runningText} from '../../lib/text/duration.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {oncePer} from '../../lib/values.ts';
import {progress} from '../../signals/definitions/progress.ts';
import type {Signal} from '../../signals/index.ts';
import {bracketMarkerOf} from '../../signals/parser/decoration.ts';
import {createParserOf} from '../../signals/parser/parser.ts';
import {type DiffFile, diffOf} from '../rows/diff.ts';
import {type Row, type Span, span, type Tone} from '../rows/row.ts';
import {oncePerText} from '../rows/text.ts';

/** Maximum number of last lines that are searched for signals. */
const looked = 300;

/** Place where an agent's last progress is shown. */
export type LastProgress = 'reported here' | 'reported elsewhere';

/** A line of an agent's own words, with its index among all lines. */
export type SpokenLine = {
	readonly at: number;
	readonly text: string;
	readonly isProgress?: boolean;
};

/**
Returns the last lines of an agent's own words.

Whole signals are left out, since their results are shown; of progress, its text is kept.
*/
export const spoken = (
	lines: readonly string[],
	lastProgress: LastProgress,
): readonly SpokenLine[] => {
	const last = lines.slice(-looked).map(withoutColors);
	const first = lines.length - last.length;
	const own: SpokenLine[] = [];
	for (let at = 0; at < last.length; at++) {
		const end = endOfSaid(last, at);
		if (end === undefined) {
			own.push({at: first + at, text: last[at] ?? ''});
		}

		at = end ?? at;
	}

	return plainProgress(own, lastProgress).filter(
		({text}, at, kept) => text.trim() !== '' || kept[at - 1]?.text.trim() !== '',
	);
};

const plainProgress = (lines: readonly SpokenLine[], last: LastProgress): readonly SpokenLine[] => {
	const told = lines.map(line => ({...line, progress: progressIn(line.text)}));
	const left =
		last === 'reported here' ? -1 : told.findLastIndex(({progress}) => progress !== undefined);
	return told.flatMap(({at, text, progress}, index) =>
		index === left ? [] : [{at, text: progress?.text ?? text, isProgress: progress !== undefined}],
	);
};

/** Returns the phase of a line of progress, and its text; nothing for any other line. */
export const progressIn = (line: string): {phase: string; text: string} | undefined =>
	line.includes(progress.marker) ? readProgress(line) : undefined;

const readProgress = oncePerText(2000, (line): ReturnType<typeof progressIn> => {
	const parser = createParserOf<Signal>([progress]);
	const [said] = [...parser.push(line), ...parser.end()];
	return said?.kind === 'progress'
		? {phase: said.phase, text: `${said.phase}: ${said.status}`}
		: undefined;
});

/** Returns the last line of a complete signal of several lines that begins at `start`; nothing if none does. */
export const endOfSaid = (lines: readonly string[], start: number): number | undefined =>
	endOfBlock(lines, start) ?? endOfBanner(lines, start);

/** Returns the end of a signal's block; none for an unfinished one, which stays visible. */
const endOfBlock = (lines: readonly string[], start: number): number | undefined => {
	const opener = bracketMarkerOf(lines[start] ?? '');
	return opener?.type === 'open'
		? indexAfter(lines, start, line => {
				const marker = bracketMarkerOf(line);
				return marker?.type === 'close' && marker.name === opener.name;
			})
		: undefined;
};

/** Returns the index of a checkpoint's last line, a bar: two further bars enclose its title. */
const endOfBanner = (lines: readonly string[], start: number): number | undefined => {
	const isOne = isBar(lines[start]) && /AGENT CHECKPOINT/.test(lines[start + 1] ?? '');
	const second = isOne ? indexAfter(lines, start, isBar) : undefined;
	return second === undefined ? undefined : indexAfter(lines, second, isBar);
};

const isBar = (line: string | undefined): boolean => /^\s*([═━─=_-])\1{7,}\s*$/.test(line ?? '');

const indexAfter = (
	lines: readonly string[],
	start: number,
	fits: (line: string) => boolean,
): number | undefined => {
	const found = lines.findIndex((line, index) => index > start && fits(line));
	return found === -1 ? undefined : found;
};

/** An agent's turn and the time, from which it follows whether a tool still runs. */
export type Presence = {
	/** Its current turn, if any. */
	readonly turn: number | undefined;
	readonly now: string;
};

/** Returns the state of a tool call; one of an earlier turn has ended, even if no report says so. */
export const standingOf = (
	{status, turn}: ToolUse,
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

/** Returns a row about a tool call: its state, name, duration and changes. */
export const toolRow = (tool: ToolUse, presence: Presence): Row => {
	const standing = standingOf(tool, presence);
	const [sign, tone] = looks[standing];
	const took = tookMs(tool, presence, standing);
	return [
		span(`${sign} `, tone),
		span(toolName(tool), standing === 'running' ? 'info' : 'dim'),
		...(took === undefined ? [] : [span(`  ${tookText(took, standing)}`, 'dim')]),
		// A failed call has changed nothing.
		...(standing === 'failed' ? [] : sums(tool.diffs)),
	];
};

/** Returns the name of a tool call; some agents name only the tool. */
export const toolName = ({title, tool, command, paths}: ToolUse): string => {
	const [path] = paths;
	const about = command ?? (paths.length > 1 ? `${path} and ${paths.length - 1} more` : path);
	const said = title.replaceAll(/\s+/g, ' ').trim();
	const name = said === '' ? tool : said === path ? `${tool} ${said}` : said;
	return about === undefined || name.includes(about) || name.includes(' ')
		? name
		: `${name} ${about.replaceAll(/\s+/g, ' ')}`;
};

const tookMs = (
	{since, durationMs}: ToolUse,
	{now}: Presence,
	standing: ReturnType<typeof standingOf>,
): number | undefined => (standing === 'running' ? elapsedMs(since, now) : durationMs);

/** Returns a duration; short ones have tenths of a second. */
const tookText = (ms: number, standing: ReturnType<typeof standingOf>): string =>
	ms < 10_000
		? `${(Math.max(0, ms) / 1000).toFixed(1)}s`
		: standing === 'running'
			? runningText(ms)
			: formatDuration(ms);

/** Returns a change that an agent reported. */
export const toldDiff = oncePer(
	({path, oldText, newText}: Diff): DiffFile => diffOf(path, oldText, newText),
);

const sums = (diffs: readonly Diff[]): readonly Span[] => {
	const sum = (count: (file: DiffFile) => number) =>
		diffs.reduce((total, diff) => total + count(toldDiff(diff)), 0);
	return diffs.length === 0
		? []
		: [
				span(`  +${sum(({added}) => added)}`, 'added'),
				span(` −${sum(({removed}) => removed)}`, 'removed'),
			];
};
