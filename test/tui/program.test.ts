import {execFileSync} from 'node:child_process';
import {cpSync, readFileSync, rmSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {isSame} from '../../src/lib/values.ts';
import {agent, type PlanParts, writePlan} from '../helpers/plan-file.ts';
import {makeProject, type Project, program, projectAt} from '../helpers/project.ts';
import {script, temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram, openTerminal, type TestTerminal} from '../helpers/terminal.ts';
import {recorded} from './a-screen.ts';

const recording = resolve(import.meta.dirname, '../../fixtures/journals/check-fails');

const asksForAMethod: PlanParts = {agents: [agent('asks-once.sh', ['src/auth.txt'])]};

/** Leaves with a key, and looks at what is left of the screen. */
const leave = async (terminal: TestTerminal, key: string): Promise<number> => {
	terminal.type(keys.left + key);
	const code = await terminal.exits();
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.isCursorShown()).toBe(true);
	return code;
};

/** Opens the screen on a session whose first agent asks which method to take. */
const attach = async (project: Project): Promise<TestTerminal> => {
	const terminal = openProgram(project);
	await terminal.until('⏎ q-1 AGT-001 Which auth method?');
	return terminal;
};

test('a plan is approved, a question answered, a check watched and what runs by itself merged by keys alone; each calls the person', async () => {
	const {root, aside} = makeProject();
	script(join(aside, 'bin/notify-send'), `printf '%s\\n' "$@" >> '${aside}/shown'`);
	const project = projectAt(root, {
		aside,
		env: {TERM_PROGRAM: 'WezTerm', PATH: `${aside}/bin:${process.env.PATH}`},
	});
	const gate = join(aside, 'gate');
	execFileSync('mkfifo', [gate]);
	const verify = [`echo half of it; cat '${gate}'; echo all of it`];
	const plan = {agents: [agent('asks-once.sh', ['src/.npmrc'])], verify};
	using terminal = openProgram(project, ['run', writePlan(project, plan)]);
	// What comes within a moment is one call, so nothing may come before the last one is shown.
	const called = (text: string) =>
		expect.poll(() => readFileSync(join(aside, 'shown'), 'utf8')).toContain(text);
	await terminal.until('⏎ p-1');
	await called('delegate-tui: a plan');
	await terminal.typeUntil(keys.enter, /approve +Start the agents/);
	await terminal.typeUntil('yyyy', '▸y  approve');
	await terminal.typeUntil(keys.enter, '⏎ q-1 AGT-001 Which auth method?');
	await called('delegate-tui: a question from AGT-001\nWhich auth method?');
	await terminal.typeUntil(keys.left + keys.enter, 'oauth');
	await terminal.typeUntil(keys.down, '▸1  oauth');
	await terminal.typeUntil(keys.down, '▸2  jwt');
	await terminal.typeUntil(keys.enter, '⏎ r-1');
	await terminal.typeUntil(
		keys.left + keys.enter,
		/• src\/\.npmrc changes what runs by itself \(packages and scripts of Node\.js\)[\s\S]*1 file, \+1 −0/,
	);
	// The diff may come later than the list of its files.
	await terminal.typeUntil('G', /src\/\.npmrc .*new file/);
	await terminal.typeUntil('G', '+ jwt');
	expect(terminal.text()).toMatch(/✓ src\/\.npmrc/);
	await terminal.typeUntil('m', '▸m  merge');
	await terminal.typeUntil(
		keys.enter,
		/─ Check: echo half of it.* ● RUNNING \d+s ─\n.*\n {2}half of it\n/,
	);
	await terminal.typeUntil(keys.left + keys.enter, /^half of it$/m);
	expect(terminal.text()).toMatch(/The check of the merged result +● RUNNING/);
	await writeFile(gate, '');
	await terminal.until(/✓ PASSED[\s\S]*\nhalf of it\nall of it\n/);
	const approval = '• src/.npmrc changes what runs by itself (packages and scripts of Node.js).';
	await terminal.typeUntil(keys.enter, approval);
	await terminal.typeUntil('v', /✓ PASSED[\s\S]*\nhalf of it\nall of it\n/);
	await terminal.typeUntil(keys.escape, approval);
	// A key that is held down is no second yes.
	await terminal.typeUntil('yyyy', 'This result changes what runs by itself: src/.npmrc.');
	await terminal.typeUntil(keys.escape, /approve +Merge exactly this result/);
	await terminal.typeUntil('y', 'Y yes, with that   n no');
	await terminal.typeUntil('Y', 'The session has ended: the work of 1 of 1 agents was merged');
	expect(await leave(terminal, 'q')).toBe(0);
	expect(terminal.text()).toMatch(/Session DEL-\w+ has ended: the work of 1 of 1/);
	expect(terminal.written()).toContain(
		'\x1b]777;notify;delegate-tui: a question from AGT-001;Which auth method? · delegate-tui answer q-1',
	);
	expect(terminal.written()).toMatch(/answer q-1[^\x1b]*\x1b\\\x07/);
	expect(terminal.written()).toMatch(
		/\x1b\[22;2t\x1b\]2;1 waiting · .*\x1b\]2;ended · .*\x1b\[23;2t/s,
	);
});

test('a file that was marked as seen is seen in the next screen, too', async () => {
	const line = Array.from({length: 90}, (_, index) => `line ${index}`).join('\n');
	await using session = await startSession({
		agents: [agent('edits.sh', ['src/long.txt', line])],
	});
	await session.item('review');
	using terminal = openProgram(session.project);
	await terminal.until('⏎ r-1');
	await terminal.typeUntil(keys.left + keys.enter, '+ line 0');
	await terminal.typeUntil('J', /src\/long\.txt {2}1 of 1 file {2}\d+ added lines unread/);
	await terminal.typeUntil(' ', 'src/long.txt is marked as seen');
	expect(await leave(terminal, 'q')).toBe(0);
	using next = openProgram(session.project);
	await next.until('⏎ r-1');
	await next.typeUntil(keys.left + keys.enter, '+ line 0');
	await next.typeUntil('J', /src\/long\.txt {2}1 of 1 file ─/);
	expect(await leave(next, 'q')).toBe(0);
});

test('an image in a review is sent to a terminal that says it shows images, and to no other', async () => {
	const png = Buffer.alloc(6000, 'x');
	png.write('89504e470d0a1a0a0000000d49484452000000c800000050', 'hex');
	const made = `mkdir -p src; printf %s '${png.toString('base64')}' | base64 -d >src/logo.png`;
	const maker = {protocol: 'text', command: ['/bin/sh', '-c', `${made}; exit 7`]} as const;
	await using session = await startSession({
		agents: [{subtask: 'Draw', agent: maker, scope: {allowed: ['src/**']}}],
	});
	await session.item('failure');
	const look = async (TERM: string, answer: string) => {
		using terminal = openProgram(session.project, [], {environment: {TERM}});
		await terminal.until('⏎ f-1');
		terminal.type(answer);
		await terminal.typeUntil(keys.left + keys.enter, 'How it ended');
		await terminal.typeUntil('G', 'PNG 200×80');
		if (answer !== '') {
			await terminal.typeUntil('G', '\u{10eeee}');
			await terminal.until(() => terminal.written().includes('\x1b_Gm=0;'));
		}

		expect(await leave(terminal, 'q')).toBe(0);
		return terminal.written();
	};

	const shown = await look('xterm-kitty', '\x1b_Gi=1;OK\x1b\\');
	const [, id] = /\x1b_Ga=T,U=1,q=2,f=100,i=(\d+),c=20,r=4,m=1;/.exec(shown) ?? [];
	expect(shown).toContain('\u{10eeee}\u0305\u{10eeee}');
	const [drawn = '', left] = shown.split('\x1b[?1049l');
	expect(drawn).toContain(`\x1b_Ga=d,d=I,q=2,i=${id}\x1b\\`);
	expect(left).not.toContain('\x1b_G');
	const sent = [...shown.matchAll(/\x1b_G[^;]*m=[01];([^\x1b]*)/g)]
		.map(([, part]) => part)
		.join('');
	expect(Buffer.from(sent, 'base64')).toEqual(png);
	expect(await look('xterm-kitty', '')).not.toMatch(/_Ga=T|\u{10eeee}/u);
	expect(await look('xterm-256color', '')).not.toMatch(/_G|\u{10eeee}/u);
});

test('a question is answered though a new version has replaced the program under the screen', async () => {
	await using session = await startSession(asksForAMethod);
	const {root, environment} = session.project;
	await session.item('question');
	const installed = temporaryFolder();
	for (const name of ['bin/delegate-tui.cjs', 'dist', 'package.json']) {
		cpSync(join(program, '../..', name), join(installed, name), {recursive: true});
	}

	using terminal = openTerminal({
		...{program: process.execPath, words: [join(installed, 'bin/delegate-tui.cjs')]},
		...{directory: root, environment, columns: 80, rows: 24},
	});
	await terminal.until('⏎ q-1 AGT-001 Which auth method?');
	await terminal.typeUntil('?', '─ Keys');
	await terminal.typeUntil(keys.escape, '⏎ q-1 AGT-001 Which auth method?');
	rmSync(join(installed, 'dist'), {recursive: true});
	await terminal.typeUntil('o', '─ AGT-001');
	await terminal.typeUntil('!', 'This program was replaced by another version');
	await terminal.typeUntil(keys.enter, 'oauth');
	await terminal.typeUntil(keys.down, '▸1  oauth');
	terminal.type(keys.enter);
	await session.event('user.decided', ({item, choice}) => item === 'q-1' && choice === 'oauth');
	expect(await leave(terminal, 'q')).toBe(0);
});

test('a screen that is left, or ended by a signal or a fault, leaves the terminal as it was found and takes nothing with it', async () => {
	await using session = await startSession(asksForAMethod);
	const {project} = session;
	const question = await session.item('question');
	using first = await attach(project);
	expect(await leave(first, 'q')).toBe(0);
	expect(first.text()).toContain(`Session ${session.id} goes on without the screen.`);
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGABRT']) {
		for (const [moment, titles] of [
			['first frame', 0],
			['title', 1],
		] as const) {
			using terminal = await attach(project);
			expect(terminal.isAlternate()).toBe(true);
			await terminal.until(() => titles <= countOf(terminal, keptTitle));
			terminal.process.kill(signal);
			await terminal.exits();
			const about = `${signal} at the ${moment}`;
			expect([about, terminal.isAlternate()]).toEqual([about, false]);
			expect([about, terminal.isCursorShown()]).toEqual([about, true]);
			expect(countOf(terminal, '\x1b[23;2t'), about).toBe(countOf(terminal, keptTitle));
		}
	}

	const fault = "process.on('SIGUSR2', () => { throw new Error('a fault of ours'); })";
	using faulty = await attach({
		...project,
		environment: {
			...project.environment,
			NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(fault)}"`,
		},
	});
	faulty.process.kill('SIGUSR2');
	expect(await faulty.exits()).not.toBe(0);
	expect(faulty.isAlternate()).toBe(false);
	expect(faulty.isCursorShown()).toBe(true);
	expect(faulty.text()).toContain('a fault of ours');

	using killed = await attach(project);
	killed.process.kill('SIGKILL');
	await killed.exits();
	await session.answer(question, 'jwt');
	using last = openProgram(project);
	await last.until('⏎ r-1');
	await leave(last, keys.controlC);

	const {code, stdout} = await project.run();
	expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('AGT-001')});
});

const keptTitle = '\x1b[22;2t';

const countOf = (terminal: TestTerminal, sequence: string): number =>
	terminal.written().split(sequence).length - 1;

test('a recording is gone through, with the diffs, the words and the checks of its session', async () => {
	const events = await recorded('check-fails');
	const at = events.find(event => event.kind === 'verify.ended' && event.ok)?.seq ?? 0;
	using terminal = openProgram(makeProject(), ['watch', recording, '--at', `${at}`]);
	await terminal.until('⏎ a-1');
	await terminal.typeUntil(keys.enter, /\+1 −0 +src\/first\.txt +new file +AGT-001/);
	await terminal.typeUntil('v', /✓ PASSED[\s\S]*\n\$ sh check\.sh/);
	await terminal.typeUntil(keys.escape, 'What you approve');
	await terminal.typeUntil('i', '─ Inbox  1 waiting');
	await terminal.typeUntil(keys.right, `${at + 1}/`);
	await terminal.typeUntil(keys.left, `${at}/`);
	await terminal.typeUntil(']]]]]]]]]]', /(\d+)\/\1 /);
	await terminal.until('The session has ended');
	expect(await leave(terminal, 'q')).toBe(0);
});

test('what was typed before the screen came leaves no trace on it', async () => {
	const {root, environment} = makeProject();
	using terminal = openTerminal({
		program: 'sh',
		words: ['-c', `printf typed; exec "$@"`, 'sh', process.execPath, program, 'watch', recording],
		directory: root,
		environment,
		columns: 80,
		rows: 24,
	});
	await terminal.until(shown => shown.at(-1)?.includes('leave') === true);
	expect(terminal.rows()[0]).toMatch(/^ ▶ recording /);
	await leave(terminal, 'q');
});

test('a terminal that knows only lines is given text', async () => {
	using terminal = openProgram(makeProject(), ['watch', recording], {environment: {TERM: 'dumb'}});
	expect(await terminal.exits()).toBe(0);
	expect(terminal.written()).not.toContain('\u001b');
	expect(terminal.written()).toContain('merged ');
});

test('a speed that is none is refused in words', async () => {
	const {code, stderr} = await makeProject().run('watch', recording, '--speed', 'fast');
	expect(code).toBe(2);
	expect(stderr).toMatch(/^--speed needs a number above 0, got "fast"\./);
});

test('source code of a diff has the colours of its syntax, and none where no colours are wanted', async () => {
	const written = "export const limit = 'ten'; // of all";
	const command = ['/bin/sh', '-c', `mkdir src; printf '%s\\n' "${written}" >src/limit.ts; exit 7`];
	await using session = await startSession({
		agents: [
			{subtask: 'Set a limit', agent: {protocol: 'text', command}, scope: {allowed: ['src/**']}},
		],
	});
	await session.item('failure');
	/** The colours of its first letters, by their numbers among the sixteen of a terminal. */
	const colors = (
		{screen, rows}: TestTerminal,
		words: readonly string[],
	): readonly (number | undefined)[] => {
		const at = rows().findIndex(row => row.includes(`+ ${written}`));
		const {active} = screen.buffer;
		const cells = active.getLine(active.baseY + at);
		const columns = words.map(word => rows()[at]?.indexOf(word) ?? 0);
		return columns.map(column => cells?.getCell(column)?.getFgColor());
	};
	const words = ['+', 'export', 'limit', "'ten'"];
	const [green, magenta, yellow, own] = [2, 5, 3, -1];
	for (const [environment, expected] of [
		[{}, [green, magenta, green, yellow]],
		[{NO_COLOR: '1'}, [own, own, own, own]],
	] as const) {
		using terminal = openProgram(session.project, [], {environment});
		await terminal.until('⏎ f-1');
		await terminal.typeUntil(keys.enter, 'How it ended');
		// The diff may come later than the facts.
		await terminal.typeUntil('G', 'new file');
		await terminal.typeUntil('G', `+ ${written}`);
		await terminal.until(() => isSame(colors(terminal, words), expected));
		await terminal.typeUntil('C', 'y copy');
		await terminal.typeUntil('y', 'Copied 1 line');
		expect(terminal.written()).toContain(Buffer.from(`${written}\n`).toString('base64'));
		terminal.type(keys.escape);
		terminal.type(`${keys.left}q`);
		await terminal.exits();
	}
});

test('Ctrl-Z leads to the shell and fg back; the mouse scrolls and opens meanwhile, and the terminal is told of neither afterwards', async () => {
	await using session = await startSession(asksForAMethod);
	const {root, environment} = session.project;
	await session.item('question');
	using terminal = openTerminal({
		program: '/bin/sh',
		words: ['-mc', `'${process.execPath}' '${program}'\necho "stopped by $?"\nread -r line\nfg`],
		...{directory: root, environment, columns: 80, rows: 24},
	});
	await terminal.until('⏎ q-1 AGT-001 Which auth method?');
	const pane = 1 + terminal.rows().findIndex(row => row.includes('─ 1 AGT-001'));
	await terminal.typeUntil(`\x1b[<0;9;${pane}M\x1b[<0;9;${pane}m`, '─ AGT-001');
	await terminal.typeUntil('?', /─ 1–\d+ of \d+ ↓ ─|1–\d+ of/);
	await terminal.typeUntil('\x1b[<65;9;9M', /─+ 4–\d+ of/);
	const isListening = () => terminal.screen.modes.mouseTrackingMode === 'drag';
	const scrolled = '\x1b[24;1H\nwritten by something else';
	await new Promise<void>(resolve => terminal.screen.write(scrolled, resolve));
	expect(terminal.rows()[0]).not.toContain('delegate-tui');
	const isWhole = (rows: readonly string[]) => rows[0]?.startsWith(' delegate-tui ') === true;
	await terminal.typeUntil('\x0c', rows => isWhole(rows) && isListening());
	expect(terminal.text()).not.toContain('written by something else');
	await terminal.typeUntil('\x1a', 'stopped by 148');
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.isCursorShown()).toBe(true);
	expect(terminal.screen.modes.mouseTrackingMode).toBe('none');
	terminal.resize(100, 30);
	// The screen is drawn first, and listens to the mouse after that.
	await terminal.typeUntil(
		'\r',
		rows => rows.length === 30 && rows.at(-1)?.includes('leave') === true && isListening(),
	);
	expect(terminal.isAlternate()).toBe(true);
	terminal.type(`${keys.left}q`);
	expect(await terminal.exits()).toBe(0);
	expect(terminal.screen.modes.mouseTrackingMode).toBe('none');
});

test('a program in a terminal that a signal ends does not end with 0', async () => {
	const parts = {directory: temporaryFolder(), environment: {}, columns: 80, rows: 24};
	using terminal = openTerminal({program: '/bin/sh', words: ['-c', 'kill -KILL $$'], ...parts});
	expect(await terminal.exited).toBe(137);
});
