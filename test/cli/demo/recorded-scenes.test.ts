import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readDemoScene, summaries} from '../../../src/cli/demo/scenes.ts';
import {readRecording} from '../../../src/client/recording.ts';
import {createReplayStore} from '../../../src/client/store/replay-store.ts';
import {checkPlan} from '../../../src/rules/plan/check.ts';
import {parsePlan} from '../../../src/rules/plan/parse.ts';
import {fold} from '../../../src/state/apply/apply.ts';

const folder = join(import.meta.dirname, '../../../fixtures/scenes');

const names = readdirSync(folder).filter(name => !name.includes('.'));

test('every way in which agents work together, and stop, is recorded', () => {
	expect(names).toEqual(expect.arrayContaining(['parallel', 'sequential', 'findings', 'delegate']));
	expect(names).toEqual(expect.arrayContaining(['stop-work', 'failure', 'review']));
});

test.each(Object.keys(summaries))(
	'the plan of the scene "%s" opens with no warning, but where scopes overlap',
	async name => {
		const {plan: text, files, cast} = await readDemoScene(name);
		const profiles = Object.fromEntries(
			Object.keys(cast).map(name => [name, {protocol: 'text' as const, command: [name]}]),
		);
		const parsed = parsePlan(text, {file: 'plan.yaml', profiles});
		const read = {files: Object.keys(files), existing: new Set<string>()};
		const found = [
			...parsed.problems,
			...(parsed.plan === undefined ? [] : checkPlan(parsed.plan, {...parsed, ...read})),
		];
		const overlaps = found.filter(({message}) => message.includes('conflict-prone'));
		expect(found).toEqual(overlaps);
		expect(overlaps).toHaveLength(name === 'merge' ? 1 : 0);
	},
);

describe.each(names)('the recorded scene "%s"', name => {
	test('is the scene as it is written, told to its merge', async () => {
		const {events, damage} = await readRecording(join(folder, name));
		expect(damage).toBeUndefined();
		const {session, publications, items} = fold(events);
		expect(publications).toMatchObject([{phase: 'standing'}]);
		expect(items).toEqual([]);

		const {plan, decisions} = await readDemoScene(name);
		expect(plan).toContain(`task: ${session?.plan.task}\n`);
		const decided = events.flatMap(event => (event.kind === 'user.decided' ? [event.choice] : []));
		expect(decided.toSorted()).toEqual(decisions.map(({choice}) => choice).toSorted());
	});

	test('is played by "watch", with the words and the diffs of its agents', async () => {
		const recording = await readRecording(join(folder, name));
		const {length} = recording.events;
		const store = createReplayStore({recording, speed: 1, playing: false});
		store.playing?.step(length);
		const {mode, resources, tails} = store.model();
		store.close();

		expect(mode).toMatchObject({kind: 'replay', position: length, length});
		const diffs = Object.values(resources).flatMap(resource =>
			resource.phase === 'ready' ? resource.lines : [],
		);
		expect(diffs.join('\n')).toContain('diff --git');
		expect(JSON.stringify(tails)).toContain('PROGRESS:');
	});
});
