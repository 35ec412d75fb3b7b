import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {eventsIn, kindsDecided, ofKind, startDemo} from '../helpers/demo.ts';
import {afterTheLast} from '../helpers/marked-processes.ts';
import {program} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';

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
	const left = ofKind(events, 'scope.left').map(one => [one.agent, one.path, one.change]);
	expect(left).toEqual([
		['AGT-003', 'src/menu.js', 'refused'],
		['AGT-003', 'src/menu.js', 'modified'],
	]);
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

test('Ctrl-C ends the session of the demo and leaves no process behind', async () => {
	const {running, elsewhere, place} = startDemo('--headless', '--fast');
	const before = elsewhere();
	for await (const line of running) {
		if (line.startsWith('q-1  AGT-001  question')) {
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
