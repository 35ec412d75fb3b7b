import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {platform} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startTime} from '../../src/lib/process/processes.ts';
import type {State} from '../../src/state/state.ts';
import {probe} from '../../src/supervisor/probe.ts';
import {mergeBuilt} from '../helpers/happened.ts';
import {write} from '../helpers/repository.ts';
import {makeSupervised} from './world.ts';

const supervised = () => makeSupervised({'readme.md': 'hello\n'}, {verify: ['true']});

/** A state as a supervisor left it that was killed in the middle of a merge. */
const inPhase = (state: State, phase: 'built' | 'intended'): State => ({
	...state,
	merge: {...state.merge, phase} as State['merge'],
});

test('a start at which all is as it should be says nothing', async () => {
	const {world, state} = await supervised();
	expect(await probe(world, state, undefined)).toEqual({found: undefined, news: []});
});

test('a journal whose end was torn is told, by where that end is kept', async () => {
	const {world, state} = await supervised();
	const {found} = await probe(world, state, join(world.folder.path, 'torn', '000001-9-1.torn'));
	expect(found).toEqual({lost: [], interrupted: [], ended: [], torn: 'torn/000001-9-1.torn'});
});

test.each([
	['built', 'check'],
	['intended', 'publication'],
] as const)('a merge that was %s is told as a cut-off %s', async (phase, interrupted) => {
	const {world, state} = await supervised();
	const {found} = await probe(world, inPhase(state, phase), undefined);
	expect(found).toEqual({lost: [], interrupted: [interrupted], ended: []});
});

test('an undo that was begun is told as a cut-off undo', async () => {
	const {world, state} = await supervised();
	const move = {from: 'result', to: 'base'};
	const publication = {
		phase: 'standing' as const,
		...{built: mergeBuilt(), verified: {ok: true, commands: [], log: null}},
		last: {from: 'base', to: 'result'},
	};
	const intent = {...move, since: state.at};
	const {found} = await probe(
		world,
		{...state, publications: [{...publication, intent}]},
		undefined,
	);
	expect(found).toEqual({lost: [], interrupted: ['undo'], ended: []});
	expect(
		(await probe(world, {...state, publications: [publication]}, undefined)).found,
	).toBeUndefined();
});

test('the worktree of a check that was cut off is removed, its log is not', async () => {
	const {world, state} = await supervised();
	const {path, log} = world.folder.verify(3);
	mkdirSync(join(path, 'tree'), {recursive: true});
	writeFileSync(log, 'half a line');
	await probe(world, state, undefined);
	expect([existsSync(path), existsSync(log)]).toEqual([false, true]);
});

/** A state in whose journal a turn of each agent is under way. */
const inTurn = (state: State, since: string): State => ({
	...state,
	agents: state.agents.map(agent => ({
		...agent,
		turn: {
			...{phase: 'live', number: 1, prompt: 'launch', pid: 1, startTime: since},
			...{startedAt: state.at, countedFrom: state.awake},
		},
	})),
});

test.runIf(platform() === 'linux')(
	'a turn that was cut off is lost, and what still runs of it is ended and named',
	async () => {
		const {world, state} = await supervised();
		const env = {PATH: process.env.PATH ?? '', DELEGATE_SESSION: world.session};
		const child = spawn('sleep', ['1000'], {detached: true, env});
		onTestFinished(() => void child.kill('SIGKILL'));
		const exited = once(child, 'exit');
		const {pid = 0} = child;
		const left = {pid, startTime: startTime(pid) ?? '', command: 'sleep 1000'};
		const {gitTrace} = world.folder.agent('AGT-001');
		write(dirname(gitTrace), {[basename(gitTrace)]: 'Authorization: secret\n'});
		expect(await probe(world, inTurn(state, 'of-another'), undefined)).toEqual({
			found: {lost: [{agent: 'AGT-001', snapshot: null}], interrupted: [], ended: [left]},
			news: [{kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'lost'}}],
		});
		expect(await exited).toEqual([null, 'SIGTERM']);
		expect(readFileSync(gitTrace, 'utf8')).toBe('');
	},
);

test.runIf(platform() === 'linux')(
	'what works in the folder of a lost turn without a sign of whose it is stays, and is told',
	async () => {
		const {world, state} = await supervised();
		const {tree} = world.folder.agent('AGT-001');
		mkdirSync(tree, {recursive: true});
		const since = startTime(process.pid) ?? '';
		const child = spawn('sleep', ['1000'], {cwd: tree, detached: true, stdio: 'ignore', env: {}});
		onTestFinished(() => void child.kill('SIGKILL'));
		await once(child, 'spawn');
		const {pid = 0} = child;
		const {news} = await probe(world, inTurn(state, since), undefined);
		const left = {pid, startTime: startTime(pid), command: 'sleep 1000'};
		expect(news).toMatchObject([{kind: 'turn.ended'}, {agent: 'AGT-001', processes: [left]}]);
		expect(child.exitCode).toBeNull();
	},
);
