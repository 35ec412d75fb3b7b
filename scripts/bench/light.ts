import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {programPath} from '../../src/lib/process/find-program.ts';
import {printTable} from '../../src/lib/text/markdown-table.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, type Playground, program, type Story} from '../pictures/playground.ts';
import {barsOf} from './bars.ts';
import {printColumns} from './columns.ts';
import {type Flood, flooding, measureFlood} from './flood.ts';
import {growing, untilGrown} from './growth.ts';
import {type Idle, measureIdle, silent, startSession} from './idle.ts';
import {figures, keep, type Occasion, occasion} from './keep.ts';
import {type Contestant, type Measured, measureWarm} from './measure.ts';
import {bundleMinimal} from './screen.ts';

/** A figure beside its floor or peer of the same run; `limit` is the maximum of the ratio, or of the figure itself if there is none. */
type Row = {
	readonly what: string;
	readonly value: number;
	readonly unit: string;
	readonly beside?: string;
	readonly other?: number;
	readonly limit: number;
};

/** Measures the costs of a start, a command and an open screen, with floors and peers in the same run: prints a table, and stores it as JSON and as a plot in `docs/bench`. */
export const benchLight = async (rounds: number, seconds: number): Promise<void> => {
	await buildWhenStale();
	const caches = await mkdtemp(join(tmpdir(), 'bench-'));
	const peer = programPath('ccmanager', process.env.PATH);
	const ask = (words: string): Contestant => ({name: words, words: [program, ...words.split(' ')]});
	const attach: Contestant = {name: 'attach', words: [program], sees: 'AGT-003'};
	const contestants: readonly Contestant[] = [
		{name: 'node -e 0', words: ['-e', '0']},
		...['--version', ...questions].map(ask),
		{name: 'minimal Ink', words: [await bundleMinimal(caches)], sees: 'q leave'},
		...(peer === undefined
			? []
			: [{name: 'ccmanager', program: peer, words: [], sees: 'CCManager'}]),
		attach,
	];
	const inTurn = (among: readonly Contestant[], place: Playground) =>
		measureWarm(among, {place, caches, rounds});

	try {
		const [started, idle] = await during(
			silent,
			async (place, pid): Promise<readonly [readonly Measured[], Idle]> => [
				await inTurn(contestants, place),
				await measureIdle(place, pid, seconds),
			],
		);
		const [flood] = await during(flooding, place => measureFlood(place, {seconds, times: 1}));
		const grown = await during(growing, async place => {
			await untilGrown(place);
			return inTurn([...questions.slice(0, 2).map(ask), attach], place);
		});
		await tell([
			...rowsOf(started, idle),
			...(flood === undefined ? [] : floodRows(flood)),
			...grownRows(grown, started),
		]);
	} finally {
		await rm(caches, {recursive: true, force: true});
	}
};

const questions = ['status --json', 'inbox --json', 'answer q-9 yes --json'];

/** Runs a function during a session, in a place that is removed with it. */
const during = async <Result>(
	story: Story,
	act: (place: Playground, run: number) => Promise<Result>,
): Promise<Result> => {
	await using place = await makePlayground(story);
	await using session = await startSession(place);
	return await act(place, session.pid);
};

const floodRows = ({p99, share, megabytes}: Flood): readonly Row[] => [
	{what: 'key to frame in a flood, p99', value: p99, unit: 'ms', limit: 30},
	{what: 'screen in a flood', value: share, unit: '% of a core', limit: 20},
	{what: 'memory of the screen in a flood', value: megabytes, unit: 'MB', limit: 180},
];

/** Returns rows about a session with 60,000 reports of progress, which should cost no more than one without. */
const grownRows = (grown: readonly Measured[], started: readonly Measured[]): readonly Row[] =>
	grown.flatMap(({name, cpuMs}) => {
		const other = started.find(one => one.name === name)?.cpuMs;
		const row = {what: `${name} after 60,000 signals`, value: cpuMs, unit: 'CPU ms', limit: 1.2};
		return other === undefined ? [] : [{...row, beside: 'after none', other}];
	});

const rowsOf = (measured: readonly Measured[], {parts, frames, bytes}: Idle): readonly Row[] => {
	const of = (name: string): Measured | undefined => measured.find(one => one.name === name);
	const cpu = (what: string, name: string, beside: string, limit: number): readonly Row[] => {
		const [one, other] = [of(name), of(beside)];
		return one === undefined || other === undefined
			? []
			: [{what, value: one.cpuMs, unit: 'CPU ms', beside, other: other.cpuMs, limit}];
	};

	const [attach, peer] = [of('attach'), of('ccmanager')];
	return [
		...cpu('first frame', 'attach', 'ccmanager', 0.6),
		...(attach === undefined || peer === undefined
			? []
			: [
					{
						...{what: 'first frame, waited for', value: attach.medianMs, unit: 'ms'},
						...{beside: 'ccmanager', other: peer.medianMs, limit: 0.6},
					},
				]),
		...cpu('first frame', 'attach', 'minimal Ink', Number.POSITIVE_INFINITY),
		...(attach?.peakMiB === undefined
			? []
			: [{what: 'memory at the first frame', value: attach.peakMiB, unit: 'MiB', limit: 90}]),
		...cpu('--version', '--version', 'node -e 0', 2),
		...questions.flatMap(name => cpu(name, name, 'node -e 0', 2.5)),
		{
			what: 'three silent agents, all of ours',
			value: parts
				.filter(({name}) => name !== 'run --headless')
				.reduce((sum, {own, children}) => sum + own + children, 0),
			...{unit: '% of a core', limit: 0.5},
		},
		...parts.flatMap(({name, megabytes}) =>
			name === 'supervisor'
				? [{what: 'memory of the supervisor', value: megabytes, unit: 'MB', limit: 110}]
				: [],
		),
		{what: 'drawn in a silent minute', value: frames, unit: 'frames', limit: 1},
		{
			what: 'written to the terminal in it',
			value: bytes,
			...{unit: 'bytes', limit: Number.POSITIVE_INFINITY},
		},
	];
};

/** Returns the share of its limit that a figure uses. */
const shareOf = ({value, other = 1, limit}: Row): number => value / other / limit;

const head = ['', 'measured', 'beside', '', 'ratio', 'at most', 'holds'];

const cellsOf = (row: Row): readonly string[] => [
	row.what,
	`${row.value.toFixed(row.value < 10 ? 2 : 0)} ${row.unit}`,
	row.beside ?? '–',
	row.other === undefined ? '–' : row.other.toFixed(0),
	row.other === undefined ? '–' : `×${(row.value / row.other).toFixed(2)}`,
	Number.isFinite(row.limit) ? `${row.other === undefined ? '' : '×'}${row.limit}` : '–',
	Number.isFinite(row.limit) ? (shareOf(row) <= 1 ? 'yes' : 'no') : '–',
];

const tell = async (rows: readonly Row[]): Promise<void> => {
	printColumns(head, rows.map(cellsOf));
	const {date, machine} = occasion();
	const title = `What each takes of what it may take at most (${date}, ${machine})`;
	const bars = rows
		.filter(({limit}) => Number.isFinite(limit))
		.map(row => ({
			label: row.beside === undefined ? row.what : `${row.what} / ${row.beside}`,
			share: shareOf(row),
		}));
	await keep({
		'light.json': figures({date, machine, rows}),
		'light.svg': barsOf(title, bars),
		'README.md': pageOf({date, machine}, rows),
	});
};

/** Returns the page for people. */
const pageOf = ({date, machine}: Occasion, rows: readonly Row[]): string =>
	`# What it costs to start, to ask and to leave open

Whole processes, in turn with what they are compared with, on ${date}: ${machine}. \`npm run bench\` writes
this page, \`npm run bench -- flood\` and \`npm run soak\` the plots of what lasts.

${printTable([head, ...rows.map(cellsOf)]).trimEnd()}

![Shares of the limits](light.svg)

![Keys, processor and memory by the minute, while agents print without end](flood.svg)

[A silent minute](silent.md), as \`strace\` counts it, and [what ten and a hundred times as much costs](growth.md).

![Memory, open files and processes of a session whose agents are killed again and again](soak.svg)

Large repositories have [a page of their own](large.md).
`;
