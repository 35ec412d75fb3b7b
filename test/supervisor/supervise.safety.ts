import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {takeLock} from '../../src/journal/lock.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {supervise} from '../../src/supervisor/supervise.ts';
import {settingsOf} from '../helpers/plan.ts';
import {git, temporaryFolder} from '../helpers/repository.ts';
import {askAtOnce, askFromOutside} from './requests/ask-from-outside.ts';
import {makeParts, planOfScript, runHere} from './running.ts';
import {mergeHere} from './undo/merged-session.ts';

/** A repository, and its supervisor in this process whenever the test wants one. */
const makeSupervisor = async () => {
	const {parts: given, root} = await makeParts({'src/a.txt': 'a\n'});
	const state = temporaryFolder();
	vi.stubEnv('DELEGATE_TUI_STATE', state);
	const parts = {...given, folder: repositoryFolder(state, given.repository.id)};
	const run = (wake = false) =>
		supervise({
			...{directory: root, version: '0', program: ['false'], wake},
			log: () => {},
		});
	const ask = (request: object) => askFromOutside(parts.folder.socket, request);
	return {parts, root, run, ask, folder: parts.folder};
};

const startRequest = {
	do: 'start',
	plan: planOfScript('exec sleep 1000'),
	settings: settingsOf({quickMs: 0, staggerMs: 0, docs: false}),
	...{environments: {}, warnings: [], approved: true, demo: false},
};

test('there is never a second one, and one that only looks in goes again at once', async () => {
	const {run, folder} = await makeSupervisor();
	await run(true);
	const lock = takeLock(folder.lock);
	expect(lock).toBeDefined();
	await run();
	expect(existsSync(folder.socket)).toBe(false);
	lock?.release();
});

test('one is given a session, refuses another beside it, and goes when that has ended', async () => {
	const {run, ask, folder} = await makeSupervisor();
	const over = run();
	expect(await ask({do: 'dance'})).toMatchObject({kind: 'usage'});
	expect((await ask({do: 'stop'})).message).toBe('No session is active in this repository.');
	expect(await ask(startRequest)).toMatchObject({value: {event: {kind: 'session.started'}}});
	const isActive = /^Session DEL-\w+ is active/;
	expect((await ask(startRequest)).message).toMatch(isActive);
	expect((await ask({do: 'undo'})).message).toMatch(/^Nothing was merged/);
	expect(await ask({do: 'stop'})).toMatchObject({value: {event: {choice: 'stop'}}});
	await over;
	await run(true);
	const lock = takeLock(folder.lock);
	expect(lock).toBeDefined();
	lock?.release();
});

test('one takes up the session that was left under way', async () => {
	const {run, ask, parts} = await makeSupervisor();
	const session = await runHere(parts, planOfScript('exec sleep 1000'));
	await session.event('turn.started');
	await session.running.abandon();
	const over = run(true);
	await session.event('turn.started', ({turn}) => turn === 2);
	expect(await ask({do: 'stop'})).toMatchObject({value: {event: {choice: 'stop'}}});
	await over;
	expect((await session.event('session.ended')).why).toBe('a person ended it');
});

test('one that can’t start its session goes, and so does one that was only asked for an undo', async () => {
	const {run, ask, root} = await makeSupervisor();
	const asked = run();
	expect((await ask({do: 'undo'})).message).toMatch(/^Nothing was merged/);
	await asked;
	git(root, 'checkout', '--quiet', '--detach');
	const started = run();
	expect((await ask(startRequest)).message).toContain('detached HEAD');
	await started;
});

test('one stays for a request that waits behind another one', async () => {
	const {run, parts, folder} = await makeSupervisor();
	// It takes longer than a supervisor that has nothing to do stays.
	await mergeHere(parts, 'echo edited > src/a.txt', {verify: ['sleep 2']});
	const over = run();
	const refused = {do: 'push', to: 'begun', commit: 'none', remote: '', branch: '', commands: []};
	const answers = await askAtOnce(folder.socket, [refused, {do: 'undo'}]);
	expect(answers).toMatchObject([{kind: 'refused'}, {value: {offer: {turn: 'undo'}}}]);
	await over;
});

test('one does not start beside a session whose journal is damaged, and says why', async () => {
	const {run, folder, parts} = await makeSupervisor();
	const session = await runHere(parts, planOfScript('exec sleep 1000'));
	await session.event('turn.started');
	await session.running.abandon();
	const {journal} = folder.session(session.running.id);
	writeFileSync(join(journal, '000001.ndjson'), 'not\na\njournal\n');
	await expect(run()).rejects.toMatchObject({kind: 'refused'});
});
