import {describe, expect, test} from 'vitest';
import {createParser, wordsBesideSignals} from '../../src/signals/parser/parser.ts';
import {parse, parseChunks} from './parse.ts';

describe('what a parser returns when', () => {
	test('a block is said as soon as its closing marker is there', () => {
		const parser = createParser();
		expect(parser.push('[STOP_WORK]\ndetails: no disk\n[/STOP_')).toEqual([]);
		expect(parser.push('WORK]\n')).toEqual([{kind: 'stop_work', line: 1, details: 'no disk'}]);
		expect(parser.end()).toEqual([]);
	});

	test('a checkpoint is said as soon as its last rule is there', () => {
		const parser = createParser();
		expect(
			parser.push('===\nAGENT CHECKPOINT: A\n===\nStatus: BLOCKED\n## Request\nHELP\n'),
		).toEqual([]);
		expect(parser.push('===\n')).toMatchObject([{kind: 'checkpoint', request: 'HELP'}]);
	});

	test('a line that takes no lines below it is said with its newline', () => {
		const parser = createParser();
		expect(parser.push('CREATED: src/a.ts')).toEqual([]);
		expect(parser.push('\n')).toEqual([{kind: 'created', line: 1, value: 'src/a.ts'}]);
		expect(parser.push('WORKFLOW_COMPLETE\n')).toEqual([{kind: 'workflow_complete', line: 2}]);
	});

	test('a summary is said at once, and again with what was wrapped once the response goes on', () => {
		const parser = createParser();
		const first = 'Analyzed 12 existing patterns of the four services,';
		const wrapped = 'recommending JWT with refresh tokens that rotate';
		expect(parser.push(`SUMMARY: ${first}\n`)).toMatchObject([{value: first}]);
		expect(parser.push(`${wrapped}\n  and 2 exceptions\n`)).toEqual([]);
		expect(parser.push('STATUS: complete\n')).toEqual([
			{kind: 'summary', line: 1, value: `${first} ${wrapped} and 2 exceptions`},
			{kind: 'status', line: 4, value: 'complete'},
		]);
	});

	test('an error is said when what follows is known', () => {
		const parser = createParser();
		expect(parser.push('ERROR: no disk\nCONTEXT: build\n')).toEqual([]);
		expect(parser.push('RECOVERY: free some\n')).toMatchObject([
			{kind: 'error', recovery: 'free some'},
		]);
		expect(parser.push('ERROR: again\n')).toEqual([]);
		expect(parser.end()).toMatchObject([{kind: 'error', line: 4}]);
	});

	test('a last line without a newline is a line', () => {
		expect(parse('WORKFLOW_COMPLETE')).toEqual([{kind: 'workflow_complete', line: 1}]);
	});
});

describe('chunks', () => {
	test('bytes and text may be mixed', () => {
		const bytes = new TextEncoder().encode('TITLE: Größe');
		const said = parseChunks([bytes.subarray(0, 10), bytes.subarray(10), ' in cm\n', bytes]);
		expect(said.map(each => 'value' in each && each.value)).toEqual(['Größe in cm', 'Größe']);
	});

	test('bytes that are no text are replaced and harm nothing', () => {
		const said = parseChunks([Uint8Array.of(0xff, 0xc3), 'x\nSTATUS: fine\n']);
		expect(said).toEqual([{kind: 'status', line: 2, value: 'fine'}]);
	});
});

describe('names a plan expects', () => {
	test('they are signals of their own', () => {
		expect(
			parse('REPORT_READY: docs/a.md\n**TESTS:** 12\nOTHER: no\n', ['REPORT_READY', 'TESTS']),
		).toEqual([
			{kind: 'signal', name: 'REPORT_READY', line: 1, value: 'docs/a.md'},
			{kind: 'signal', name: 'TESTS', line: 2, value: '12'},
		]);
	});

	test('a name that every agent knows stays what it is', () => {
		expect(parse('COUNT: 3\n', ['COUNT'])).toEqual([{kind: 'count', line: 1, value: 3}]);
	});

	test('one without a value is malformed under its name', () => {
		expect(parse('TESTS:\n', ['TESTS'])).toMatchObject([
			{kind: 'malformed', signal: 'TESTS', line: 1},
		]);
	});
});

describe('limits', () => {
	const block = (length: number): string => {
		const body = `details: ${'x'.repeat(length - 'details: '.length)}`;
		return `[STOP_WORK]\n${body}\n[/STOP_WORK]\n`;
	};

	test('a block of 16 KiB is read and a longer one is not', () => {
		expect(parse(block(16 * 1024))).toMatchObject([{kind: 'stop_work'}]);
		expect(parse(block(16 * 1024 + 1))).toMatchObject([
			{kind: 'malformed', reason: '[STOP_WORK] holds more than 16 KiB.'},
		]);
	});

	test('the text of a malformed signal is cut at 16 KiB', () => {
		const [said] = parse(block(60_000));
		expect(said?.kind === 'malformed' && said.text.length).toBe(16 * 1024);
	});

	test('a line of 64 KiB is read and a longer one is not', () => {
		const line = (length: number): string => `STATUS: ${'x'.repeat(length - 'STATUS: '.length)}\n`;
		expect(parse(line(64 * 1024))).toMatchObject([{kind: 'status'}]);
		expect(parse(line(64 * 1024 + 1))).toMatchObject([{kind: 'malformed', signal: 'status'}]);
	});

	test('what nests deeper than a stack is malformed', () => {
		const body = `details: x\nstate_snapshot: ${'['.repeat(8000)}${']'.repeat(8000)}`;
		expect(parse(`[STOP_WORK]\n${body}\n[/STOP_WORK]\nSTATUS: on\n`)).toMatchObject([
			{kind: 'malformed', signal: 'stop_work'},
			{kind: 'status'},
		]);
	});

	test('a fence that is never closed holds on to the latest signals only', () => {
		const said = parse(`\`\`\`\n${'STATUS: on\n'.repeat(1000)}`);
		expect(said.at(-1)).toMatchObject({line: 1001});
		expect(said).toHaveLength(256);
	});

	test('one endless line is let go as it arrives', () => {
		const parser = createParser();
		const chunk = 'x'.repeat(1 << 20);
		const before = process.memoryUsage().rss;
		for (let count = 0; count < 512; count += 1) {
			parser.push(chunk);
		}

		expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20);
		expect(parser.push('\nSTATUS: on\n')).toEqual([{kind: 'status', line: 2, value: 'on'}]);
	});
});

/** How long the parser works on a text: on a busy machine much time passes in which it doesn't, and what it does takes several times as long. */
const cpuMs = (text: string): number => {
	const before = process.cpuUsage();
	parse(text);
	return process.cpuUsage(before).user / 1000;
};

describe('blocks nobody can make slow', () => {
	const blockOf = (body: string): string =>
		`[STOP_WORK]\ndetails: x\n${body.slice(0, 16_000)}\n[/STOP_WORK]\n`;

	test.each([
		['commas', `state_snapshot: [${','.repeat(16_000)}`],
		['empty lists', `state_snapshot: [${'[],'.repeat(5000)}]`],
		['lists in lists', `${'- - - -\n'.repeat(2000)}`],
		['closing brackets', `state_snapshot: ${']'.repeat(16_000)}`],
		['quotes', '""\n'.repeat(5000)],
		['anchors', `state_snapshot: ${'&a '.repeat(5000)}`],
		['questions', '? \n'.repeat(5000)],
		['empty fields', 'a:\n'.repeat(5000)],
		['colons', 'a: b: c\n'.repeat(2000)],
		['bad escapes', `state_snapshot: "${'\\q'.repeat(7000)}"`],
		['comments', '#\n'.repeat(8000)],
		['empty lines', '\n'.repeat(16_000)],
	])('%s are refused before anybody notices', (_, body) => {
		const text = blockOf(body);
		expect(parse(text)).toMatchObject([{kind: 'malformed', signal: 'stop_work'}]);
		expect(cpuMs(text)).toBeLessThan(2000);
	});

	test('a fault is told without its stack, and later errors have theirs', () => {
		const {stackTraceLimit} = Error;
		expect(parse(blockOf('a: "'))).toMatchObject([{kind: 'malformed'}]);
		expect(Error.stackTraceLimit).toBe(stackTraceLimit);
	});
});

describe('lines nobody can make slow', () => {
	const long = 60_000;
	test.each([
		['brackets', '[ '.repeat(long / 2)],
		['quote marks', '> '.repeat(long / 2)],
		['spaces', `STATUS${' '.repeat(long)}x`],
		['stars', `${'*'.repeat(long)}x`],
		['escapes', '\x1b]'.repeat(long / 2)],
		['dashes', `PROGRESS: a${' -'.repeat(long / 2)}`],
		['underscores', `${'A_'.repeat(long / 2)}:`],
		['bars', `| Topic | Status | Path | Summary |\n|${'-'.repeat(long)}x`],
		['braces', '{'.repeat(long)],
		['quotes', `{"${'\\"'.repeat(long / 2)}`],
		['words', `CHECKPOINT: ${'a '.repeat(long / 2)}`],
		['digits', `PROGRESS: a - ${'1/'.repeat(long / 2)}`],
		['emoji', '✅'.repeat(long / 2)],
		['spaced emoji', '👩‍💻 '.repeat(long / 6)],
		['keycaps', '1️⃣'.repeat(long / 3)],
		['escaped brackets', '\\['.repeat(long / 2)],
		['thoughts', `<thinking>${'</think'.repeat(long / 7)}`],
		['code in cells', `| Topic | Status | Path | Summary |\n|-|-|-|-|\n| \`${'|'.repeat(long)}`],
		['backticks', `TITLE: ${'`'.repeat(long)}`],
	])('%s take no longer than their length allows', (_, line) => {
		expect(cpuMs(`${line}\n`.repeat(4))).toBeLessThan(4000);
	});
});

describe('thoughts that are never closed', () => {
	const drafted = '<thinking>\nSTATUS: drafted\n';

	test('hide nothing at the end of the stream', () => {
		expect(parse(`${drafted}STATUS: said\n`)).toHaveLength(2);
		expect(parse(`${drafted}</thinking>\nSTATUS: said\n`)).toMatchObject([{value: 'said'}]);
	});

	test('hide nothing of a long session while it goes on', () => {
		const parser = createParser();
		expect(parser.push(drafted)).toEqual([]);
		expect(parser.push('Some words.\n'.repeat(1998))).toEqual([]);
		expect(parser.push('STATUS: said\nSTATUS: again\n')).toMatchObject([
			{value: 'drafted', line: 2},
			{value: 'said', line: 2001},
			{value: 'again', line: 2002},
		]);
	});
});

describe('the words beside signals', () => {
	const bar = '═'.repeat(39);

	test('are what is left without them', () => {
		const lines = [
			...['', 'Before.', '[STOP_WORK]', 'details: no disk', '[/STOP_WORK]', 'Between.', ''],
			...['', 'SUMMARY: done', 'ERROR: A - it broke', 'CONTEXT: here', 'After it.'],
			...['```', 'TITLE: In a fence', '```', '```ts', 'const a = 1;', '```'],
			...['| Topic | Status | Path | Summary |', '|--|--|--|--|', '| a | b | c | d |', 'Table.'],
			...['{"status": "complete", "metrics": {"a": 1}}', '<thinking>', 'STATUS: no', '</thinking>'],
			...[bar, 'AGENT CHECKPOINT: [AGT-001]', bar, 'Status: IN_PROGRESS', bar, 'Last.', ''],
		];
		expect(wordsBesideSignals(lines)).toEqual([
			...['Before.', 'Between.', '', 'After it.', '```ts', 'const a = 1;', '```', 'Table.'],
			...['<thinking>', 'STATUS: no', '</thinking>', 'Last.'],
		]);
	});

	test('hold what only looks like the beginning of a signal', () => {
		const lines = ['[STOP_WORK]', '[/DELEGATE_WORK]', 'And so on.'];
		expect(wordsBesideSignals(lines)).toEqual([]);
		expect(wordsBesideSignals(['SUMMARY: a', 'COUNT: 3', 'TITLE: b', 'c'])).toEqual(['c']);
		expect(wordsBesideSignals(['SUMMARY: a.', 'COUNT: 3', 'And words.'])).toEqual(['And words.']);
		expect(wordsBesideSignals(['```', 'SUMMARY: a', 'TITLE: b', '```'])).toHaveLength(4);
	});

	test('hold nothing that was wrapped of a signal, but what only follows one', () => {
		const title = [
			'TITLE: A report on the ways to sign in and out of all',
			'services that there are',
		];
		expect(wordsBesideSignals([...title, 'CREATED: a.md'])).toEqual([]);
		expect(wordsBesideSignals([...title, 'And words.'])).toEqual([title[1], 'And words.']);
	});
});
