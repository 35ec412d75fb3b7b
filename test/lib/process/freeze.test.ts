import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {platform} from 'node:os';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import {
	endThroughContainment,
	findContainment,
	groupsContainment,
} from '../../../src/lib/process/containment.ts';
import {freeze, thaw} from '../../../src/lib/process/freezer.ts';
import {startTime} from '../../../src/lib/process/processes.ts';
import {statesOf} from '../../helpers/process-states.ts';
import {processesWith} from '../../helpers/processes-with.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const best = await findContainment();
const containments = [
	groupsContainment('for a test'),
	...(best.level === 'namespace' ? [best] : []),
];
const napper = resolve('fixtures/agents/naps.sh');

test.runIf(platform() === 'linux').each(containments)(
	'all that a program started stands still until it is thawed, contained by $level',
	async containment => {
		const sign = join(temporaryFolder(), 'here');
		// One that was left by its parents is reached in a namespace only.
		const hidden = containment.level === 'namespace' ? `(setsid ${napper} ${sign}-2 &)` : '';
		const script = `${napper} ${sign}-1 & ${hidden}
			for one in ${sign}-1 ${hidden === '' ? '' : `${sign}-2`}; do
				while [ ! -e $one ]; do sleep 0.02; done
			done
			echo ready; wait`;
		const [program = '', ...words] = [...containment.prefix, '/bin/sh', '-c', script];
		const child = spawn(program, words, {detached: true, stdio: ['ignore', 'pipe', 'inherit']});
		const root = {pid: child.pid ?? 0, startTime: startTime(child.pid ?? 0) ?? ''};
		onTestFinished(async () => {
			await endThroughContainment(containment, root, 0);
		});
		await once(createInterface({input: child.stdout}), 'line');
		const all = processesWith(sign);
		expect(all.length).toBeGreaterThan(1);
		freeze(root);
		await expect.poll(() => statesOf(all).every(state => state === 'T')).toBe(true);
		thaw(root);
		await expect.poll(() => statesOf(all).includes('T')).toBe(false);
	},
);
