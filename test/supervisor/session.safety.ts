import {readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {git} from '../helpers/repository.ts';
import {makeParts, planOfScript, runHere} from './running.ts';

const files = {'src/a.txt': 'a\n'};

const edits = `echo edited > src/a.txt
printf '[COMPLETION_REPORT]\\nstatus: success\\n[/COMPLETION_REPORT]\\n'`;

/** Lets nothing happen only because a second has passed. */
const hushTimers = (): void => {
	const set = globalThis.setTimeout;
	const hushed = (work: () => void, delayMs = 0) => set(work, delayMs < 1000 ? delayMs : 2 ** 30);
	vi.stubGlobal('setTimeout', hushed);
	onTestFinished(() => {
		vi.unstubAllGlobals();
	});
};

/** Stays at work until it is ended. */
const stays = 'echo edited > src/a.txt; exec sleep 1000';

test('a session goes from its plan to the merge, and leaves its documents behind and nothing running', async () => {
	const {parts, root, logged} = await makeParts(files);
	const session = await runHere(parts, planOfScript(edits));
	const endsConversation = vi.spyOn(session.running.world.conversations, 'end');
	await session.decide('review', 'merge');
	await session.decide('approval', 'approve');
	await session.running.over;
	const ended = await session.event('session.ended');
	expect(ended.status).toBe('COMPLETE');
	expect(git(root, 'show', 'main:src/a.txt')).toBe('edited');
	expect(readFileSync(join(root, 'docs/logs/delegation_registry.md'), 'utf8')).toContain('MERGED');
	expect(session.events('supervisor.started')).toHaveLength(1);
	expect(endsConversation).toHaveBeenCalledWith('AGT-001');
	expect(session.running.world.turns.size).toBe(0);
	await expect(session.running.loop.ask({kind: 'stop'})).rejects.toThrow('is stopping');
	expect(logged).toEqual([]);
});

test('a session that was abandoned is taken up by the next supervisor, which says what it found', async () => {
	const {parts, root} = await makeParts(files);
	const first = await runHere(parts, planOfScript(stays));
	await first.event('turn.started');
	const {id} = first.running;
	await first.running.abandon();
	await first.running.over;
	expect(git(root, 'rev-parse', `refs/delegate/${id}/base`)).toBe(git(root, 'rev-parse', 'main'));
	git(root, 'update-ref', '-d', `refs/delegate/${id}/base`);

	const second = await runHere(parts, id);
	const {found} = await second.event('supervisor.started', event => event.found !== undefined);
	expect(found?.lost).toMatchObject([{agent: 'AGT-001'}]);
	expect(git(root, 'rev-parse', `refs/delegate/${id}/base`)).toBe(git(root, 'rev-parse', 'main'));
	await second.event('turn.started', ({turn}) => turn === 2);
	await second.running.loop.ask({kind: 'stop'});
	await second.running.over;
	expect((await second.event('session.ended')).why).toBe('a person ended it');
});

test('a process that could not be ended is looked after at once, and told again when it is gone', async () => {
	const {parts} = await makeParts(files);
	hushTimers();
	const session = await runHere(parts, planOfScript(stays));
	const gone = {pid: 2 ** 22, startTime: 'x', command: 'gone'};
	const survivors = {kind: 'machine.survivors', agent: 'AGT-001'} as const;
	await session.running.loop.append([{...survivors, processes: [gone]}]);
	await session.until('no survivor', ({events}) =>
		events.find(event => event.kind === 'machine.survivors' && event.processes.length === 0),
	);
	const space = {level: 'low', folder: '/', free: 1, total: 2} as const;
	await session.running.loop.append([{kind: 'machine.disk', ...space}]);
	await session.running.loop.ask({kind: 'stop'});
	await session.running.over;
});

test('a session whose folder is taken away ends its agents and goes', async () => {
	const {parts} = await makeParts(files);
	const session = await runHere(parts, planOfScript(stays));
	await session.event('turn.started');
	const turn = session.running.world.turns.get('AGT-001');
	const {path} = parts.folder.session(session.running.id);
	renameSync(path, `${path}.away`);
	await session.running.over;
	expect(await turn?.ended).toHaveProperty('end');
});
