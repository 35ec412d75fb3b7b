import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createHub} from '../../../src/git/store/pin-hub.ts';
import {owed} from '../../../src/rules/effects/effects.ts';
import type {Signal} from '../../../src/signals/index.ts';
import {createStarts} from '../../../src/supervisor/budgets.ts';
import {createSaid, start} from '../../../src/supervisor/perform/start/start.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {starting} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {makeConversation} from '../a-conversation.ts';
import {makeSupervised} from '../world.ts';

const effect = {
	key: {do: 'start', agent: 'AGT-001', turn: 1},
	do: 'start',
	agent: 'AGT-001',
	turn: 1,
	prompt: 'launch',
} as const;

test('a start that is no longer wanted when its turn comes is not made', async () => {
	const {world} = await makeSupervised({'readme.md': 'hello\n'});
	const turn = Promise.withResolvers<void>();
	const starts = {...createStarts(), turn: () => turn.promise};
	const starting = start({...world, starts}, effect);
	turn.resolve();
	expect(await starting).toEqual([]);
	expect(world.turns.size).toBe(0);
});

test('nothing is started by a supervisor that stops', async () => {
	const {world} = await makeSupervised({'readme.md': 'hello\n'});
	const starts = createStarts();
	starts.close();
	await expect(start({...world, starts}, effect)).rejects.toMatchObject({
		message: 'The supervisor is stopping.',
	});
});

test('a pipe that an agent left in the place of its login keeps no start waiting', async () => {
	const data = temporaryFolder();
	mkdirSync(join(data, 'opencode'));
	execFileSync('mkfifo', [join(data, 'opencode/auth.json')]);
	vi.stubEnv('XDG_DATA_HOME', data);
	onTestFinished(() => void vi.unstubAllEnvs());
	const {world, state} = await makeSupervised({'readme.md': 'hello\n'});
	const agent = {protocol: 'acp', command: ['opencode', 'acp'], vendor: 'opencode'} as const;
	const given = starting([subtask('AGT-001', {agent})]).state();
	const now = {...given, session: requireSession(state)};
	expect(await start({...world, state: () => now}, effect)).toEqual([]);
});

const grant = {path: '/srv/a', to: 'read', granted: 'session', isNew: true} as const;

test.each([
	['reach more', {}, [grant]],
	['go on with another model', {model: 'another'}, []],
] as const)(
	'a process that is kept ends before the next one is prepared that is to %s',
	async (_, model, access) => {
		const agent = {protocol: 'acp', command: ['gone'], ...model} as const;
		const {world, state} = await makeSupervised({'readme.md': 'hello\n'});
		const session = requireSession(state);
		const {base} = session;
		const given = starting([subtask('AGT-001', {agent})]);
		const prepared = {
			kind: 'workspace.prepared',
			base,
			baseline: base,
			onto: [],
			conflicts: [],
		} as const;
		given.tell({...prepared, agent: 'AGT-001'});
		const agents = given.state().agents.map(one => ({...one, access, conversation: 'one'}));
		const now = {...given.state(), agents, session};
		const {path: folder, prompt} = world.folder.agent('AGT-001');
		await createHub({folder, repository: world.repository, base, branch: 'agent/AGT-001'});
		const {conversation} = makeConversation('one');
		const end = async () => {
			expect(existsSync(prompt(effect.turn))).toBe(false);
			throw new Error('It has ended.');
		};
		await world.conversations.open('AGT-001', async () => ({...conversation, end}));
		const [wanted] = owed(now).effects.filter(one => one.do === 'start');
		await expect(start({...world, state: () => now}, wanted ?? effect)).rejects.toThrow(
			'It has ended.',
		);
	},
);

describe('what an agent says in its turn', () => {
	const progress = (done: number): Signal => ({
		...{kind: 'progress', line: done, phase: 'Tests', status: `${done}/9000`},
		...{done, total: 9000},
	});

	test('is told as it comes, but for progress in a flood, whose latest is told before anything else', () => {
		const told: Signal[] = [];
		let atMs = 0;
		const said = createSaid(
			signal => told.push(signal),
			() => atMs,
		);
		for (let done = 1; done <= 5000; done++) {
			said.hear(progress(done), done);
		}

		const first = told.length;
		expect(first).toBeLessThan(100);
		expect(told.at(-1)).toEqual(progress(first));
		const title: Signal = {kind: 'title', line: 5001, value: 'Done'};
		said.hear(title, 5001);
		expect(told.slice(first)).toEqual([progress(5000), title]);
		atMs += 1000;
		said.hear(progress(5001), 5002);
		expect(told.at(-1)).toEqual(progress(5001));
		said.hear(progress(5002), 5003);
		said.flush();
		said.flush();
		expect(told.slice(first + 2)).toEqual([progress(5001), progress(5002)]);
	});

	test('is told within a second, whatever comes after it', async () => {
		const last = Promise.withResolvers<void>();
		const said = createSaid(signal => {
			if (signal.line === 500) {
				last.resolve();
			}
		});
		for (let done = 1; done <= 500; done++) {
			said.hear(progress(done), done);
		}

		await last.promise;
	});
});
