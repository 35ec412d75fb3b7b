import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {afterTheLast, markedProcesses} from '../helpers/marked-processes.ts';
import {git, temporaryFolder} from '../helpers/repository.ts';
import {keys, openTerminal, type TestTerminal} from '../helpers/terminal.ts';

const program = join(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** Starts a program in a terminal, as somebody with an empty home, in a folder that is no repository. */
const personAt = () => {
	const [home, temporary, current] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
	// A story that fails half-way must not leave its session to the next one.
	onTestFinished(() => {
		for (const {pid} of markedProcesses(`TMPDIR=${temporary}`)) {
			process.kill(pid, 'SIGKILL');
		}
	});
	const open = (
		command: string,
		words: readonly string[],
		size = {columns: 80, rows: 24},
	): TestTerminal =>
		openTerminal({
			...size,
			program: command,
			words,
			directory: current,
			environment: {PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary},
		});
	return {
		openDemo: (words: readonly string[] = [], size?: {columns: number; rows: number}) =>
			open(process.execPath, [program, 'demo', '--fast', ...words], size),
		openShell: (line: string) => open('/bin/sh', ['-c', line]),
		place: () => {
			const name = readdirSync(temporary).find(entry => entry.startsWith('delegate-demo-'));
			return join(temporary, name ?? 'no demo');
		},
	};
};

/** Returns the first item that waits for the person, as the board announces it. */
const announced = (rows: readonly string[]): string | undefined =>
	/⏎ ([a-z]+-\d+) /.exec(rows.join('\n'))?.[1];

const hasEnded = (rows: readonly string[]): boolean =>
	rows.some(row => row.includes('The session has ended'));

/** Returns the line that says what to try. */
const hintOf = ({rows}: TestTerminal): string => rows().find(row => row.includes('★ Try:')) ?? '';

/** The keys that decide an item of each kind, as the hint for it says; that of a conflict is taken from the hint, since it is the number of a choice. */
const decidingKeys: Readonly<Record<string, string>> = {
	PLAN: 'y',
	QUESTION: '2',
	CHECKPOINT: 'c',
	PERMISSION: 'o',
	SCOPE: 'o',
	FAILURE: 't',
	BLOCKER: 'r',
	VERIFY: 'f',
	REVIEW: 'm',
	APPROVAL: 'y',
};

/** Opens what comes next and decides it by its keys; returns it, its kind and what was hinted. */
const decideNext = async (terminal: TestTerminal) => {
	// A key of movement first: what is typed on after a decision does nothing. It leads to an agent that may wait with something else than what was announced.
	terminal.type(keys.left + keys.enter);
	const opened = /^ ([A-Z]+) +([a-z]+-\d+) /m;
	await terminal.until(opened);
	const [, kind = '', item] = opened.exec(terminal.text()) ?? [];
	const title = new RegExp(`^ ${kind} +${item} `, 'm');
	const hint = hintOf(terminal);
	// A number goes to a group of ways, and pressed again to the next of them.
	const key = decidingKeys[kind] ?? /\d(?: \d)*/.exec(hint)?.[0].replaceAll(' ', '') ?? '';
	terminal.type(key);
	const leadsOn = () => /Your note, with|Y yes, with that/.test(terminal.text());
	const chosen = kind === 'CONFLICT' ? /▸ +AGT-002 .* redoes its work/ : new RegExp(`▸${key}`);
	await terminal.until(rows => chosen.test(rows.join('\n')) || leadsOn());
	if (!leadsOn()) {
		terminal.type(keys.enter);
	}

	if (kind === 'BLOCKER') {
		await terminal.until('Your note, with "resolved"');
		terminal.type(`It is there now.${keys.enter}`);
	}

	const isAskedAgain = () => terminal.text().includes('Y yes, with that');
	await terminal.until(rows => !title.test(rows.join('\n')) || isAskedAgain());
	if (isAskedAgain()) {
		expect(hintOf(terminal)).toContain('Y if you mean it');
		await terminal.typeUntil('Y', rows => !title.test(rows.join('\n')));
	}

	return {item, kind, hint};
};

/** Decides all that comes up until the session has ended. */
const playToTheEnd = async (terminal: TestTerminal) => {
	const told = [];
	const decided = new Set<string | undefined>([undefined]);
	for (;;) {
		await terminal.until(rows => hasEnded(rows) || !decided.has(announced(rows)));
		if (announced(terminal.rows()) === undefined) {
			return told;
		}

		const next = await decideNext(terminal);
		decided.add(next.item);
		told.push(next);
	}
};

/** Of a question, the hint tells how to get to an option and not which one to take. */
const expectKeyHinted = ({kind, hint}: {kind: string; hint: string}): void => {
	const key = kind === 'QUESTION' ? '↓' : (decidingKeys[kind] ?? '\\d');
	expect(` ${hint} `, kind).toMatch(new RegExp(`[\\s:]${key}[\\s;,]`));
	expect(hint).not.toContain('…');
};

test('a stranger plays the first scene by keys, as the hints say, and is told what was merged', async () => {
	const {openDemo, place} = personAt();
	using terminal = openDemo();
	await terminal.until('★ Try: ⏎ opens the plan');
	const told = await playToTheEnd(terminal);

	expect(told.map(({kind}) => kind).toSorted()).toEqual([
		'APPROVAL',
		'CHECKPOINT',
		'CONFLICT',
		'PLAN',
		'QUESTION',
		...Array.from({length: 4}, () => 'REVIEW'),
	]);
	told.forEach(expectKeyHinted);
	await terminal.until('★ Try: l shows every event');
	terminal.type(`${keys.left}q`);
	expect(await terminal.exited).toBe(0);
	expect(terminal.isAlternate()).toBe(false);
	const checkout = join(place(), 'till');
	const tip = git(checkout, 'rev-parse', 'main');
	const lines = terminal.text().trimEnd().split('\n');
	expect(lines.at(-1)).toBe(`merged ${tip} into main`);
	expect(readFileSync(join(checkout, 'src/total.js'), 'utf8')).toContain(
		'withTip(discounted(sum, order), order)',
	);
	expect(readFileSync(join(checkout, 'src/menu.js'), 'utf8')).toContain('cake: 380');
	expect(await afterTheLast(place())).toEqual([]);
});

test('agents that go too far are seen to be held, and what they ask for is decided by keys', async () => {
	const {openDemo, place} = personAt();
	using terminal = openDemo(['boundaries'], {columns: 120, rows: 40});
	await terminal.until('★ Try: ⏎ opens the plan');
	const told = await playToTheEnd(terminal);

	expect(told.map(({kind}) => kind).toSorted()).toEqual([
		'APPROVAL',
		'PERMISSION',
		'PLAN',
		'REVIEW',
		'REVIEW',
		'REVIEW',
		'SCOPE',
	]);
	told.forEach(expectKeyHinted);
	expect(terminal.text()).toContain('1 reverted · 2 bl');
	terminal.type(`${keys.left}q`);
	expect(await terminal.exited).toBe(0);
	const checkout = join(place(), 'till');
	const tip = git(checkout, 'rev-parse', 'main');
	expect(terminal.text().trimEnd()).toMatch(new RegExp(`\\nmerged ${tip} into main$`));
	expect(git(checkout, 'diff', '--name-only', 'main~1', 'main').split('\n')).toEqual([
		'docs/rules.md',
		'src/loyalty.js',
		'src/menu.js',
		'test/loyalty.test.js',
		'test/menu.test.js',
	]);
});

test('a crash, a blocker and a failing check are got over by keys on a large screen', async () => {
	const {openDemo, place} = personAt();
	using terminal = openDemo(['recovery'], {columns: 200, rows: 50});
	await terminal.until('★ Try: ⏎ opens the plan');
	const told = await playToTheEnd(terminal);

	expect(told.map(({kind}) => kind)).toEqual(
		expect.arrayContaining(['FAILURE', 'BLOCKER', 'VERIFY', 'APPROVAL']),
	);
	told.forEach(expectKeyHinted);
	terminal.type(`${keys.left}q`);
	expect(await terminal.exited).toBe(0);
	const tip = git(join(place(), 'till'), 'rev-parse', 'main');
	expect(terminal.text().trimEnd()).toMatch(new RegExp(`\\nmerged ${tip} into main$`));
});

test('whoever leaves in the middle is told the way back, and it leads back', async () => {
	const {openDemo, openShell, place} = personAt();
	using terminal = openDemo(['merge']);
	await terminal.until('⏎ p-1');
	terminal.type(`${keys.left}q`);
	expect(await terminal.exited).toBe(0);
	const [back = '', stop = ''] = terminal
		.written()
		.split('\n')
		.filter(line => line.startsWith('  cd '))
		.map(line => line.trim());

	using again = openShell(back);
	await again.until('⏎ p-1');
	again.type('q');
	await again.exited;
	using stopping = openShell(stop);
	await stopping.exited;
	expect(stopping.text()).toContain('has ended. Its work is kept');
	expect(await afterTheLast(place())).toEqual([]);
});
