import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {findContainment} from '../../src/lib/process/containment.ts';
import {eventsIn, kindsDecided, ofKind, startDemo} from '../helpers/demo.ts';
import {afterTheLast} from '../helpers/marked-processes.ts';
import {git} from '../helpers/repository.ts';

const {fileSandbox} = await findContainment();

/** What tells that a scene has shown what it is for. */
const shown = {
	parallel: 'AGT-003  turn 1 started (launch)',
	sequential: 'AGT-002  turn 1 started (launch)',
	findings: 'AGT-003  found out: No test tries an empty order',
	delegate: 'AGT-002  turn 1 started (launch)',
	'stop-work': 'for b-1 ended with exit code 0',
	failure: 'AGT-003  turn 1 started (launch)',
	review: 'test/split.test.js (not there)',
} as const;

// They share nothing, and each waits for processes most of its time, so all are played at once.
test('each scene shows what it is for, and plays to its merge', async () => {
	const played = Object.entries(shown).map(async ([scene, words]) => {
		const {stdout, stderr} = await startDemo(scene, '--headless', '--fast').running;
		return {scene, words, stdout, stderr};
	});
	for (const {scene, words, stdout, stderr} of await Promise.all(played)) {
		expect({scene, stderr}).toEqual({scene, stderr: ''});
		expect(stdout, scene).toContain(words);
		expect(stdout.split('\n').at(-1), scene).toMatch(/^merged [\da-f]{40} into main$/);
	}
});

/** What a scene is for, as its journal tells. */
const shows: Readonly<Record<string, (events: readonly Body[]) => void>> = {
	boundaries: events => {
		const left = ofKind(events, 'scope.left').map(({path, change}) => `${path} ${change}`);
		expect(left.toSorted()).toEqual([
			'git push refused',
			'src/total.js modified',
			'test/total.test.js refused',
		]);
		expect(ofKind(events, 'permission.asked')).toMatchObject([{agent: 'AGT-001'}]);
		expect(ofKind(events, 'merge.built')).toMatchObject([{files: 5}]);
		const attempts = ofKind(events, 'signal.said').flatMap(({agent, signal}) =>
			agent === 'AGT-003' && signal.kind === 'progress' ? [JSON.stringify(signal)] : [],
		);
		const outcome =
			'program' in fileSandbox ? ': prevented' : ': possible, files are not protected';
		expect(attempts).toHaveLength(4);
		expect(attempts.filter(attempt => !attempt.includes(outcome))).toEqual([]);
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
