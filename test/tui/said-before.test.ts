import {expect, test} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {unseen} from '../../src/tui/model/unseen.ts';
import {checkpoint, working} from '../helpers/given.ts';
import {aDiff, large, listed, openAt, resourcesOf} from './a-screen.ts';

const naming = (file: string): string =>
	checkpoint(`Status: IN_PROGRESS

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| ${file} | Modified | a change |`);

test('what an agent said at a checkpoint before is not held against it at the next one', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', naming('src/limit.js'));
	session.work();
	session.decide('cp-1', 'continue');
	session.work();
	session.says('AGT-001', naming('src/new.js'));
	session.work();
	expect(session.agent('AGT-001').updates.files).toEqual(['src/limit.js', 'src/new.js']);

	const screen = openAt('checkpoint', {state: session.state()}, {size: large});
	const newOnly = aDiff.slice(aDiff.indexOf('diff --git a/src/new.js'));
	const resources = (since: string) => {
		const all = resourcesOf(screen.context(), aDiff);
		const some = resourcesOf(screen.context(), since);
		return Object.fromEntries(
			Object.entries(all).map(([key, resource]) => [
				key,
				key.includes('since:') ? (some[key] ?? resource) : resource,
			]),
		);
	};
	screen.learn({resources: resources(newOnly)});
	expect(screen.frame()).toContain('✓ src/limit.js  said at a checkpoint before');
	expect(screen.frame()).not.toContain('changed, but not said');

	screen.learn({resources: resources(aDiff)});
	expect(screen.frame()).toContain('+ src/limit.js  changed, but not said');

	screen.learn({resources: resources(newOnly)});
	expect(screen.frame()).toContain('const burst = 20;');
	screen.press('s');
	expect(screen.frame()).not.toContain('const burst = 20;');
	expect(screen.frame()).toContain('export const fresh = true;');
	expect(inbox(session.state())).toMatchObject([{reviewed: {snapshot: 1}}]);
	// All of it was on the screen before.
	expect(unseen(screen.context(), session.item('checkpoint'))).toEqual([]);
});

test('of many files, those said before are told apart from those never said', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', naming('src/limit.js'));
	session.work();
	session.decide('cp-1', 'continue');
	session.work();
	session.says('AGT-001', naming('src/new.js'));
	session.work();
	const screen = openAt('checkpoint', {state: session.state()}, {size: large});
	const others = Array.from({length: 6}, (_, index) => listed(`src/part${index}.js`));
	const all = resourcesOf(screen.context(), aDiff, others);
	const since = resourcesOf(
		screen.context(),
		aDiff.slice(aDiff.indexOf('diff --git a/src/new.js')),
		others,
	);
	screen.learn({
		resources: Object.fromEntries(
			Object.entries(all).map(([key, one]) => [
				key,
				key.includes('since:') ? (since[key] ?? one) : one,
			]),
		),
	});
	expect(screen.frame()).toContain('✓ src/limit.js  said at a checkpoint before');
	expect(screen.frame()).toContain('+ 6 files  changed, but not said');
});

test('what is delivered is held against what was found, however its path is written', () => {
	const session = working(['AGT-001']);
	const named = [
		...['./src/new.js', '/its/tree/src/limit.js', 'src/was.js'],
		...['docs/there.md', 'A page on limits'],
	];
	session.says(
		'AGT-001',
		`[COMPLETION_REPORT]\nstatus: success\ndeliverables: ${JSON.stringify(named)}\n[/COMPLETION_REPORT]\n`,
	);
	session.ends('AGT-001');
	session.work();
	const claims = named.slice(0, 4).map(claim => ({claim, holds: true}) as const);
	const state = session.state();
	const agents = state.agents.map(agent => ({
		...agent,
		snapshots: agent.snapshots.map(one => ({...one, claims})),
	}));
	const screen = openAt('review', {state: {...state, agents}}, {size: large});
	const renamed = listed('src/is.js', {from: 'src/was.js', status: 'R'});
	screen.learn({resources: resourcesOf(screen.context(), aDiff, [renamed])});
	for (const line of [
		'✓ ./src/new.js',
		'✓ /its/tree/src/limit.js',
		'✓ src/was.js',
		'+ src/is.js',
		'✓ docs/there.md  there, and not changed',
		'· A page on limits  not looked for',
	]) {
		expect(screen.frame()).toContain(line);
	}

	expect(screen.frame()).not.toMatch(/(?:limit|new)\.js {2}changed, but not said/);
	expect(screen.frame()).not.toContain('was.js  there');
});
