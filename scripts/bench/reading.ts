import {keys, openTerminal, type TestTerminal} from '../../test/helpers/terminal.ts';
import {makePlayground, type Playground, program, type Story} from '../pictures/playground.ts';
import {printColumns} from './columns.ts';
import {p99Of} from './flood.ts';
import {pass, startSession} from './idle.ts';
import {usedMs} from './measure.ts';
import {medianOf} from './places.ts';

/** An agent's work: so many files, each of so many lines, of which it changes one in five. With three around each, the diff of one of 41,500 has 50,000. */
type Work = {readonly name: string; readonly files: number; readonly lines: number};

const works: readonly Work[] = [
	{name: '93 files', files: 93, lines: 120},
	{name: '5,000 files', files: 5000, lines: 10},
	{name: '50,000 lines', files: 1, lines: 41_500},
];

const rewrite = `
const {readdirSync, readFileSync, writeFileSync} = require('node:fs');
for (const {name, parentPath} of readdirSync(process.argv[2], {recursive: true, withFileTypes: true})) {
	if (!name.endsWith('.ts')) continue;
	const lines = readFileSync(parentPath + '/' + name, 'utf8').split('\\n');
	const changed = lines.map((line, at) => at % 5 === 2 ? line.replace('=> limit', '=> compute(limit, ' + at + ')') : line);
	writeFileSync(parentPath + '/' + name, changed.join('\\n'));
}

console.log('[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]');
`;

const filesOf = ({files, lines}: Work, folder: number): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Array.from({length: files}, (_, file) => [
			`w${folder}/d${file % 97}/file${file}.ts`,
			Array.from(
				{length: lines},
				(_, line) =>
					`export const value${file}_${line} = (limit = "${line}") => limit; // of ${file}\n`,
			).join(''),
		]),
	);

const story: Story = {
	files: {
		'.delegate-tui.yaml': 'docs: false\n',
		'rewrite.cjs': rewrite,
		...Object.assign({}, ...works.map(filesOf)),
	},
	scenes: {},
	plan: () =>
		JSON.stringify({
			version: 1,
			task: 'Change much',
			agents: works.map(({name}, folder) => ({
				subtask: `Change ${name}`,
				scope: {allowed: [`w${folder}/**`]},
				agent: {command: ['node', 'rewrite.cjs', `w${folder}`], protocol: 'text'},
			})),
		}),
};

/** Keys that are pressed one after the other, by the name of what they do. */
type Presses = readonly (readonly [name: string, ...keys: readonly string[]])[];

const times = (count: number, ...keys: readonly string[]): readonly string[] =>
	Array.from({length: count}, () => keys).flat();

const presses: Presses = [
	['a line down', ...times(100, 'j')],
	['a page down', ...times(40, keys.pageDown)],
	['the end and the top', ...times(20, 'G', 'g')],
	['file by file', ...times(40, 'J')],
	['side by side and back', ...times(10, '|')],
	['numbers off and on', ...times(10, '#')],
	['side by side, a line down', '|', ...times(100, 'j')],
	['side by side, a page down', ...times(40, keys.pageDown)],
	['find', '/', ...'limit, '],
	['the first match and the next', keys.enter, ...times(50, 'n')],
	['along the lines', keys.escape, 'C', ...times(50, 'j'), keys.escape],
	['mark a file as seen, and back', ...times(20, ' ')],
	['palette', ':', ...'file42', ...times(3, keys.backspace), keys.escape],
	['filter the inbox', keys.escape, '&', ...'change', keys.escape],
	['filter the log', 'l', '&', ...'agent', keys.escape],
];

type Pressed = {readonly ms: number; readonly cpuMs: number};

/** Presses a key, and returns how long it took until the screen was another one, and what it took of processors. */
const press = async (terminal: TestTerminal, key: string): Promise<Pressed> => {
	const {pid} = terminal.process;
	const [before, since, used] = [bodyOf(terminal.rows()), performance.now(), usedMs(pid)];
	let last = since;
	const {dispose} = terminal.process.onData(() => {
		last = performance.now();
	});
	await terminal.typeUntil(key, rows => bodyOf(rows) !== before);
	dispose();
	const ms = last - since;
	// What is done behind a frame counts for the key, too.
	await pass(0.02);
	return {ms, cpuMs: usedMs(pid) - used};
};

/** The rows below the first one, which has a clock. */
const bodyOf = (rows: readonly string[]): string => rows.slice(1).join('\n');

/** Measures how long keys wait for their frame in reviews of large works: by the clock of a terminal, and in time of processors. */
export const benchReading = async (): Promise<void> => {
	await using place = await makePlayground(story);
	await using _session = await startSession(place);
	console.log('\nKey to frame in a terminal of 200×50, in milliseconds.\n');
	const rows: string[][] = [];
	const all: Pressed[] = [];
	for (const [index, {name}] of works.entries()) {
		for (const linear of index === 0 ? [false, true] : [false]) {
			const measured = await read(place, index, linear);
			const of = `${name}${linear ? ', linear' : ''}`;
			for (const [what, pressed] of measured) {
				all.push(...pressed);
				rows.push([`${of}: ${what}`, ...figuresOf(pressed)]);
			}

			rows.push([`${of}, all`, ...figuresOf(measured.flatMap(([, pressed]) => pressed))]);
		}
	}

	printColumns(
		['', 'keys', 'median', 'p99', 'worst', 'CPU p99'],
		[...rows, ['all', ...figuresOf(all)]],
	);
};

const figuresOf = (pressed: readonly Pressed[]): string[] => {
	const ms = pressed.map(one => one.ms);
	const told = [medianOf(ms), p99Of(ms), Math.max(...ms), p99Of(pressed.map(one => one.cpuMs))];
	return [String(pressed.length), ...told.map(value => value.toFixed(0))];
};

/** A snapshot of 5,000 files may take longer than anything that a terminal is waited for otherwise. */
const untilReviewed = async (terminal: TestTerminal): Promise<void> => {
	for (let left = 10; left > 0; left--) {
		try {
			return await terminal.until('3 waiting');
		} catch {
			// Not yet.
		}
	}
};

/** What is read aloud has nothing beside anything else, and one file has no next one. */
const isThere = (presses: string, work: number, linear: boolean): boolean =>
	!(linear && presses.startsWith('side')) &&
	!(works[work]?.files === 1 && presses === 'file by file');

/** Opens the review of a work, and presses all keys in it. */
const read = async (
	{project, environment}: Playground,
	index: number,
	linear: boolean,
): Promise<readonly (readonly [string, readonly Pressed[]])[]> => {
	using terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 200, rows: 50},
		directory: project,
		environment: {...environment, ...(linear ? {INK_SCREEN_READER: 'true'} : {})},
	});
	await untilReviewed(terminal);
	await terminal.typeUntil('i', 'Inbox');
	await terminal.typeUntil(`/AGT-00${index + 1}`, `AGT-00${index + 1}`);
	await terminal.typeUntil(`${keys.enter}${keys.enter}`, /Its diff|unread/);
	await terminal.until(/\d+–\d+ of \d{4,}/);
	await pass(3);
	const measured: (readonly [string, readonly Pressed[]])[] = [];
	for (const [name, ...keys] of presses.filter(([name]) => isThere(name, index, linear))) {
		const pressed: Pressed[] = [];
		for (const key of keys) {
			pressed.push(await press(terminal, key));
		}

		measured.push([name, pressed]);
	}

	terminal.type('q');
	await terminal.exited;
	return measured;
};
