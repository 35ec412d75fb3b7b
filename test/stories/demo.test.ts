import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {isEvent} from '../../src/events/decode.ts';
import type {Body, BodyOf} from '../../src/events/event.ts';
import {readJournal} from '../../src/journal/read.ts';
import {afterTheLast} from '../helpers/marked-processes.ts';
import {filesBelow, git, temporaryFolder, write} from '../helpers/repository.ts';

const program = join(import.meta.dirname, '../../bin/delegate-tui.cjs');

/** Starts the demo as somebody with an empty home, in a folder that is no repository. */
const startDemo = (...words: readonly string[]) => {
	const [home, temporary, current] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
	write(current, {'notes.txt': 'mine\n'});
	const running = execa(process.execPath, [program, 'demo', ...words], {
		cwd: current,
		env: {PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary},
		extendEnv: false,
		reject: false,
	});
	return {
		running,
		/** All that lies where the demo has no business. */
		elsewhere: () => ({home: readdirSync(home), current: filesBelow(current)}),
		place: () => {
			const name = readdirSync(temporary).find(entry => entry.startsWith('delegate-demo-'));
			return join(temporary, name ?? 'no demo');
		},
	};
};

const eventsIn = async (place: string): Promise<readonly Body[]> => {
	const journal = readdirSync(join(place, 'state'), {recursive: true, encoding: 'utf8'}).find(
		path => path.endsWith('/journal'),
	);
	const {entries} = await readJournal(join(place, 'state', journal ?? ''));
	return entries.filter(isEvent);
};

const ofKind = <Kind extends Body['kind']>(
	events: readonly Body[],
	kind: Kind,
): readonly BodyOf<Kind>[] =>
	events.filter((event): event is Extract<Body, {kind: Kind}> => event.kind === kind);

/** Returns the kinds of the items that were decided, by the prefix of their ids. */
const kindsDecided = (events: readonly Body[]): readonly string[] =>
	ofKind(events, 'user.decided').map(({item}) => item.replace(/-.*/, ''));

test('the demo goes from the plan to the merge, with everything a person is for on the way', async () => {
	const {running, elsewhere, place} = startDemo('--headless', '--fast');
	const before = elsewhere();
	const {stdout, stderr, exitCode} = await running;

	expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
	const checkout = join(place(), 'till');
	const tip = git(checkout, 'rev-parse', 'main');
	expect(stdout.split('\n').at(-1)).toBe(`merged ${tip} into main`);
	expect(git(checkout, 'log', '--format=%s', 'main')).toBe(
		'Teach the till discounts, tips and receipts\nThe till of a tea house',
	);
	expect(git(checkout, 'diff', 'HEAD')).toBe('');
	expect(readFileSync(join(checkout, 'src/total.js'), 'utf8')).toContain(
		'withTip(discounted(sum, order), order)',
	);
	expect(readFileSync(join(checkout, 'src/menu.js'), 'utf8')).toContain('cake: 380');

	const events = await eventsIn(place());
	const said = ofKind(events, 'signal.said').map(({agent, signal}) => `${agent} ${signal.kind}`);
	expect(said).toContain('AGT-001 clarification_needed');
	expect(said).toContain('AGT-002 checkpoint');
	expect(ofKind(events, 'scope.left')).toMatchObject([{agent: 'AGT-003', path: 'src/menu.js'}]);
	expect(ofKind(events, 'conflict.found')).toMatchObject([{path: 'src/total.js'}]);
	expect(ofKind(events, 'verify.ended')).toMatchObject([{ok: true, commands: [{code: 0}]}]);
	expect(ofKind(events, 'merge.published')).toMatchObject([{commit: tip}]);
	const decisions = ofKind(events, 'user.decided');
	expect(kindsDecided(events).toSorted()).toEqual(['a', 'c', 'cp', 'p', 'q', 'r', 'r', 'r', 'r']);
	expect(decisions.filter(({by}) => by !== 'demo')).toEqual([]);

	expect(elsewhere()).toEqual(before);

	const asked = async (...words: readonly string[]) =>
		execa(process.execPath, [program, ...words], {
			cwd: checkout,
			env: {DELEGATE_TUI_STATE: join(place(), 'state')},
		});
	const {stdout: report} = await asked('report', '--json');
	expect(JSON.parse(report)).toMatchObject({
		session: {status: 'COMPLETE'},
		merges: [{commit: tip, checked: true, tree: git(checkout, 'rev-parse', 'main^{tree}')}],
	});
	const {stdout: sessions} = await asked('sessions');
	expect(sessions).toMatch(/^DEL-\w+ {2}COMPLETE {2}into main: Teach .* \(3 of 3 agents merged\)$/);
});

/** What a scene is for, as its journal tells. */
const shows: Readonly<Record<string, (events: readonly Body[]) => void>> = {
	boundaries: events => {
		const left = ofKind(events, 'scope.left').map(({path, change}) => `${path} ${change}`);
		expect(left.toSorted()).toEqual([
			'git push refused',
			'test/total.test.js modified',
			'test/total.test.js refused',
		]);
		expect(ofKind(events, 'permission.asked')).toMatchObject([{agent: 'AGT-001'}]);
		expect(ofKind(events, 'merge.built')).toMatchObject([{files: 4}]);
	},
	collisions: events => {
		const [first] = ofKind(events, 'work.compared');
		expect(first).toMatchObject({
			findings: [{type: 'API_CONFLICT', rule: 'A2', path: 'src/card.ts', blocking: true}],
		});
		expect(ofKind(events, 'conflict.found')).toMatchObject([
			{
				type: 'API_CONFLICT',
				path: 'src/card.ts',
				confirmed: {text: expect.stringContaining('TS2554')},
			},
		]);
		expect(ofKind(events, 'verify.ended').map(({ok}) => ok)).toEqual([true]);
		expect(kindsDecided(events)).toContain('c');
	},
	recovery: events => {
		expect(ofKind(events, 'turn.ended').map(({end}) => end)).toContainEqual({
			by: 'exit',
			code: 137,
		});
		expect(ofKind(events, 'verify.ended').map(({ok}) => ok)).toEqual([false, true]);
		expect(kindsDecided(events)).toContain('b');
	},
};

test.each(Object.entries(shows))(
	'the scene "%s" is played by itself to the merge',
	async (scene, check) => {
		const {running, elsewhere, place} = startDemo(scene, '--headless', '--fast');
		const before = elsewhere();
		const {stdout, stderr, exitCode} = await running;

		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		const tip = git(join(place(), 'till'), 'rev-parse', 'main');
		expect(stdout.split('\n').at(-1)).toBe(`merged ${tip} into main`);
		const events = await eventsIn(place());
		check(events);
		expect(ofKind(events, 'user.decided').filter(({by}) => by !== 'demo')).toEqual([]);
		expect(elsewhere()).toEqual(before);
		expect(await afterTheLast(place())).toEqual([]);
	},
);

test('Ctrl-C ends the session of the demo and leaves no process behind', async () => {
	const {running, elsewhere, place} = startDemo('--headless', '--fast');
	const before = elsewhere();
	for await (const line of running) {
		if (line.includes('A question')) {
			running.kill('SIGINT');
		}
	}

	const {stderr, exitCode} = await running;

	expect({stderr, exitCode}).toEqual({stderr: 'The demo was interrupted.', exitCode: 1});
	const events = await eventsIn(place());
	expect(ofKind(events, 'session.ended')).toMatchObject([{status: 'ABORTED'}]);
	// The supervisor and every agent have the demo's own programs on their path.
	expect(await afterTheLast(place())).toEqual([]);
	expect(git(join(place(), 'till'), 'rev-list', '--count', 'main')).toBe('1');
	expect(elsewhere()).toEqual(before);
});

test('a scene that does not exist is a wrong use, and the scenes are named', async () => {
	const {running, place} = startDemo('somersault', '--headless');
	const {stderr, exitCode} = await running;

	expect(exitCode).toBe(2);
	expect(stderr).toContain('There is no scene "somersault".');
	expect(stderr).toContain('merge');
	expect(place()).toContain('no demo');
});
