import {execFileSync} from 'node:child_process';
import {appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {eventText} from '../../../src/client/texts/event-text.ts';
import type {Body} from '../../../src/events/event.ts';
import {nextToTurn, undoOf} from '../../../src/state/merge/publication.ts';
import {lastMerged} from '../../../src/supervisor/past/last-session.ts';
import {readSession} from '../../../src/supervisor/past/read-session.ts';
import {answerUndo, finishUndo, withEndedSession} from '../../../src/supervisor/supervise.ts';
import {type Agreed, carryOut, undo} from '../../../src/supervisor/undo/undo.ts';
import {findUndo} from '../../../src/supervisor/undo/undo-offer.ts';
import {supervisorStarted} from '../../helpers/happened.ts';
import {commitAll, git, script, write} from '../../helpers/repository.ts';
import {makeParts, planOfScript, runHere} from '../running.ts';
import {makeMerged, mergeHere} from './merged-session.ts';

const files = {'src/a.txt': 'a\n', 'other.txt': 'other\n'};

/** The documents of a session are no work of a person's. */
const commit = (root: string, message: string): void => {
	git(root, 'add', 'src');
	git(root, 'commit', '--quiet', '--message', message);
};

test('there is nothing to take back where nothing was merged', async () => {
	const {parts} = await makeParts(files);
	await expect(answerUndo(parts, undefined, {do: 'undo'})).rejects.toMatchObject({
		kind: 'refused',
		message: 'Nothing was merged in this repository yet.',
	});
});

test('a merge on which nobody has built goes and comes as a move, told before it is done', async () => {
	const {parts, running, root, base, merge, tip, turnRound} = await makeMerged();
	const answer = await answerUndo(parts, running, {do: 'undo'});
	const offer = {turn: 'undo', merge, how: 'move', from: merge, to: base, files: 1};
	expect(answer).toMatchObject({offer});
	expect(tip()).toBe(merge);
	const agreed = {turn: 'undo', merge, from: merge} as const;
	expect(await answerUndo(parts, running, {do: 'undo', agreed})).toMatchObject({done: offer});
	expect(tip()).toBe(base);
	expect(readFileSync(join(root, 'docs/01_progress.md'), 'utf8')).toContain('Taken back:');
	expect(await turnRound('redo')).toMatchObject({done: {turn: 'redo', from: base, to: merge}});
	expect(tip()).toBe(merge);
});

test('a merge on which somebody has built goes and comes as a commit', async () => {
	const {root, base, offer, turnRound} = await makeMerged();
	write(root, {'other.txt': 'later\n'});
	const later = commitAll(root, 'later');
	expect(await offer()).toMatchObject({how: 'commit', from: later, to: null, files: 1});
	await turnRound('undo');
	const words = () => git(root, 'log', '-1', '--format=%an: %s%n%b', 'main');
	expect(words()).toMatch(
		/^Ada Person: Revert "Rate-limit the public API"\nThis takes back the merge /,
	);
	expect(git(root, 'diff', '--name-only', base, 'main', '--', 'src')).toBe('');
	write(root, {'other.txt': 'later still\n'});
	commitAll(root, 'later still');
	await turnRound('redo');
	expect(words()).toMatch(
		/^Ada Person: Reapply "[^"]*"\nThis brings back the merge .*, which was taken back/,
	);
	expect(git(root, 'show', 'main:src/a.txt')).toBe('edited');
	expect(git(root, 'show', 'main:other.txt')).toBe('later still');
});

test('a merge that had nothing to bring is passed over, and told in words', async () => {
	const {parts, root, base, merge, id, tip} = await makeMerged();
	const {id: empty} = await mergeHere(parts, 'echo edited > src/a.txt');
	expect(tip()).toBe(merge);
	const {events, state} = await readSession(empty, parts.folder.session(empty));
	expect(nextToTurn(state)).toBeUndefined();
	expect(state.session?.ended).toMatchObject({
		status: 'COMPLETE',
		why: 'the work of 1 of 1 agents was merged, but there was nothing to merge into main',
	});
	expect(events.map(eventText).join('\n')).toMatch(
		/merged AGT-001, with nothing new: the target stays at /,
	);
	expect(readFileSync(join(root, 'docs/01_progress.md'), 'utf8')).toMatch(
		/- Session: DEL-\w+\n- Merged into: main\n- Commit: .*\n- Nothing to merge: it was all there/,
	);
	write(root, {'src/mine.txt': 'mine\n'});
	commit(root, 'mine');
	expect(await answerUndo(parts, undefined, {do: 'undo'})).toMatchObject({
		offer: {session: id, merge, how: 'commit', files: 1},
	});
	const agreed = {turn: 'undo', merge} as const;
	await answerUndo(parts, undefined, {do: 'undo', agreed});
	expect(git(root, 'diff', '--name-only', base, 'main')).toBe('src/mine.txt');
});

test('what a person agreed to is not done to anything else', async () => {
	const {parts, base, merge, tip, turnRound} = await makeMerged();
	const agreed = {turn: 'undo', merge, from: merge} as const;
	const expectRefused = (changed: Partial<Agreed>, why: string): Promise<void> =>
		expect(
			answerUndo(parts, undefined, {do: 'undo', agreed: {...agreed, ...changed}}),
		).rejects.toMatchObject({kind: 'refused', message: expect.stringContaining(why)});
	await expectRefused({merge: 'another'}, 'Things have changed since you looked');
	await expectRefused({from: 'elsewhere'}, 'Things have changed since you looked');
	await expectRefused({turn: 'redo'}, 'No merge of this session has been taken back.');
	expect(tip()).toBe(merge);
	await turnRound('undo');
	await expectRefused({from: base}, 'Things have changed since you looked');
	expect(tip()).toBe(base);
});

test('what changed of git’s settings since the merge is told before an undo, and who was not shown it is asked again', async () => {
	const {parts, root, base, merge, tip, offer, turnRound} = await makeMerged();
	expect(await offer()).not.toHaveProperty('gitSettings');
	script(join(root, '.git/hooks/post-checkout'), 'exit 0');
	const {gitSettings} = await offer();
	expect(gitSettings?.changed).toEqual(['.git/hooks/post-checkout']);
	await expect(turnRound('undo')).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('.git/hooks/post-checkout has changed'),
		hint: expect.stringContaining('delegate-tui undo'),
	});
	expect(tip()).toBe(merge);
	const agreed = {turn: 'undo', merge, settings: gitSettings?.digest ?? ''} as const;
	await answerUndo(parts, undefined, {do: 'undo', agreed});
	expect(tip()).toBe(base);
});

describe('what stands against an undo is told', () => {
	test('when later commits changed the same places, and when all is taken back by hand', async () => {
		const {root, offer, turnRound} = await makeMerged();
		write(root, {'src/a.txt': 'built on it\n'});
		commitAll(root, 'built on it');
		await expect(offer()).rejects.toThrow(
			/^Later commits changed the same places as the merge \(\w+\).*: src\/a.txt$/,
		);
		write(root, {'src/a.txt': 'a\n'});
		commitAll(root, 'by hand');
		await expect(offer()).rejects.toThrow(/^Nothing of the merge \(\w+\) is left in main/);
		await expect(turnRound('undo')).rejects.toMatchObject({kind: 'refused'});
	});

	test('when the target no longer holds it, or holds nothing of how it went', async () => {
		const {root, base, context, offer, turnRound} = await makeMerged();
		const nowhere = '1'.repeat(40);
		const lost = context(async one => {
			const {publications, ...state} = one.state();
			const last = {from: nowhere, to: base};
			return findUndo({
				...one,
				state: () => ({...state, publications: publications.map(merge => ({...merge, last}))}),
			});
		});
		await expect(lost).rejects.toThrow(/^The commit before the merge \(\w+\) no longer exists/);
		await turnRound('undo');
		git(root, 'checkout', '--quiet', '--orphan', 'other');
		commitAll(root, 'another history');
		git(root, 'branch', '--force', 'main', 'other');
		await expect(offer()).rejects.toThrow(
			/^main was moved or rewritten since the merge \(\w+\) was taken back/,
		);
	});

	test('when the checkout is in the way, with its files if it is about any', async () => {
		const {root, merge, tip, turnRound, events} = await makeMerged();
		write(root, {'src/a.txt': 'mine\n'});
		await expect(turnRound('undo')).rejects.toThrow(/src\/a\.txt/);
		expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('mine\n');
		git(root, 'checkout', '--quiet', '--', 'src/a.txt');
		write(join(root, '.git'), {MERGE_HEAD: `${merge}\n`});
		await expect(turnRound('undo')).rejects.toThrow(/A merge is in progress/);
		expect(tip()).toBe(merge);
		expect(undoOf(await events())).toBeUndefined();
	});

	test('when nothing was merged, and while the target is being moved', async () => {
		const {base, merge, context} = await makeMerged();
		await context(async one => {
			const early = {
				...one,
				state: () => ({...one.state(), publications: []}),
			};
			await expect(findUndo(early)).rejects.toThrow('Nothing was merged in this session.');
			await carryOut(early);
			await carryOut(one);
			await one.append([{kind: 'merge.intended', commit: base, from: merge, undoes: merge}]);
			await expect(undo(one, {turn: 'undo', merge})).rejects.toThrow('main is being moved.');
		});
	});
});

describe('while a session runs', () => {
	test('and nothing was merged before it, there is nothing to take back', async () => {
		const {parts} = await makeParts(files);
		const session = await runHere(parts, planOfScript('exec sleep 1000'));
		await session.event('turn.started');
		await expect(answerUndo(parts, session.running, {do: 'undo'})).rejects.toMatchObject({
			kind: 'refused',
			message: 'Nothing was merged in this repository yet.',
		});
	});

	test('the last merge stays that its agents stand on, but its own can be taken back', async () => {
		const {parts, merge, root, events} = await makeMerged();
		const session = await runHere(parts, planOfScript('exec sleep 1000'));
		await session.event('turn.started');
		const {running} = session;
		await expect(answerUndo(parts, running, {do: 'undo'})).rejects.toThrow(
			`Session ${running.id} is active`,
		);
		// As if it had merged that itself.
		const {publications} = await events();
		const state = () => ({...running.loop.state(), publications});
		const own = {...running, loop: {...running.loop, state}, world: {...running.world, state}};
		expect(await answerUndo(parts, own, {do: 'undo'})).toMatchObject({
			offer: {session: running.id, merge, how: 'commit'},
		});
		expect(git(root, 'rev-parse', 'main')).toBe(merge);
	});
});

describe('an undo that was cut off', () => {
	test('is finished by whoever comes next, with a word on who that was', async () => {
		const {parts, logged, id, base, merge, tip, context} = await makeMerged();
		await finishUndo(parts);
		expect(tip()).toBe(merge);
		const {events} = await readSession(id, parts.folder.session(id));
		expect(events.at(-1)?.kind).toBe('session.ended');
		await context(({append}) =>
			append([{kind: 'merge.intended', commit: base, from: merge, undoes: merge}]),
		);
		expect(tip()).toBe(merge);
		await finishUndo(parts);
		expect(tip()).toBe(base);
		const {state} = (await lastMerged(parts.folder)) ?? {};
		expect(state?.publications).toMatchObject([{phase: 'undone', last: {from: merge, to: base}}]);
		expect(logged).toEqual([]);
	});

	test('tells in the log what it waits for', async () => {
		const {parts, root, base, merge, tip, context} = await makeMerged();
		await context(({append}) =>
			append([{kind: 'merge.intended', commit: base, from: merge, undoes: merge}]),
		);
		const slow = join(parts.folder.path, 'slow');
		const go = join(parts.folder.path, 'go');
		execFileSync('mkfifo', [go]);
		script(slow, `read -r word < ${go}; exec cat`);
		git(root, 'config', 'filter.slow.smudge', slow);
		git(root, 'config', 'filter.slow.clean', 'cat');
		write(join(root, '.git/info'), {attributes: '*.txt filter=slow\n'});
		const logged: string[] = [];
		const log = (message: string): void => {
			logged.push(message);
			// What else is waited for, before or after, reads no word: to write one would hang.
			if (message.includes(slow)) {
				writeFileSync(go, 'go\n');
			}
		};
		await finishUndo({...parts, log});
		expect(tip()).toBe(base);
		expect(logged.join('\n')).toContain(slow);
	});

	test('is left to its own supervisor where the session goes on, and to nobody where there is none', async () => {
		const {parts, base, merge, tip, id} = await makeMerged();
		const {events} = await readSession(id, parts.folder.session(id));
		const lasting = events.flatMap(({seq: _, at: __, ...body}): Body[] =>
			body.kind === 'session.ended' ? [] : [body],
		);
		const later = 'DEL-99990101T000000000Z';
		await withEndedSession(parts, later, ({append}) =>
			append([...lasting, {kind: 'merge.intended', commit: base, from: merge, undoes: merge}]),
		);
		expect((await lastMerged(parts.folder))?.id).toBe(later);
		await finishUndo(parts);
		expect(tip()).toBe(merge);
		for (const name of [id, later]) {
			rmSync(parts.folder.session(name).path, {recursive: true});
		}

		await finishUndo(parts);
		expect(tip()).toBe(merge);
	});
});

describe('the journal of a session that has ended', () => {
	test('tells of its torn end, and of nothing that was only looked at', async () => {
		const {parts, id, logged, context} = await makeMerged();
		const {journal} = parts.folder.session(id);
		const segments = readdirSync(journal).filter(name => name.endsWith('.ndjson'));
		const last = join(journal, segments.toSorted().at(-1) ?? '');
		appendFileSync(last, '{"half": ');
		const before = await context(async ({state}) => state());
		expect(logged).toEqual([expect.stringContaining(`the end of the journal of ${id} was torn`)]);
		expect(before.session?.ended?.status).toBe('COMPLETE');
	});

	test('that holds no session yet brings no documents about', async () => {
		const {parts, root} = await makeParts(files);
		const state = await withEndedSession(parts, 'DEL-1', async one => {
			await one.append([supervisorStarted()]);
			return one.state();
		});
		expect(state.session).toBeNull();
		expect(git(root, 'status', '--porcelain')).toBe('');
	});
});
