import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {platform} from 'node:os';
import {expect, onTestFinished, test} from 'vitest';
import {startTime} from '../../../src/lib/process/processes.ts';
import {probe} from '../../../src/supervisor/probe.ts';
import {makeSupervised} from '../world.ts';

test.runIf(platform() === 'linux')(
	'what works in the folder of a lost turn without a sign of whose it is stays, and is told',
	async () => {
		const {world, state} = await makeSupervised({'readme.md': 'hello\n'});
		const {tree} = world.folder.agent('AGT-001');
		mkdirSync(tree, {recursive: true});
		const since = startTime(process.pid) ?? '';
		const child = spawn('sleep', ['1000'], {cwd: tree, detached: true, stdio: 'ignore', env: {}});
		onTestFinished(() => void child.kill('SIGKILL'));
		await once(child, 'spawn');
		const {pid = 0} = child;
		const agents = state.agents.map(agent => ({
			...agent,
			turn: {
				phase: 'live' as const,
				number: 1,
				prompt: 'launch' as const,
				pid: 1,
				startTime: since,
				startedAt: state.at,
				countedFrom: state.awake,
			},
		}));
		const {news} = await probe(world, {...state, agents}, undefined);
		const left = {pid, startTime: startTime(pid), command: 'sleep 1000'};
		expect(news).toMatchObject([{kind: 'turn.ended'}, {agent: 'AGT-001', processes: [left]}]);
		expect(child.exitCode).toBeNull();
	},
);
