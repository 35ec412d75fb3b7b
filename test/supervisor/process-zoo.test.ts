import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startTextTurn} from '../../src/agents/text-turn.ts';
import {
	type Containment,
	findContainment,
	groupsContainment,
} from '../../src/lib/process/containment.ts';
import {runCommands} from '../../src/supervisor/machine/shell.ts';
import {type Escape, escapes, scriptOf} from '../helpers/process-zoo.ts';
import {processesWith} from '../helpers/processes-with.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const best = await findContainment();
const groups = groupsContainment('for a test');

/** A place for one run, which ends what got away. */
const place = () => {
	const cwd = temporaryFolder();
	const sign = join(temporaryFolder(), 'here');
	const mark = `TEST_ZOO=${randomUUID()}`;
	onTestFinished(() => {
		for (const pid of processesWith(sign)) {
			process.kill(pid, 'SIGKILL');
		}
	});
	return {cwd, sign, mark, env: {PATH: process.env.PATH ?? '', TEST_ZOO: mark.slice(9)}};
};

/** A script that ends once the process is there that it leaves behind. */
const leaving = (way: Escape, sign: string): string =>
	`${scriptOf(way, sign)}\nwhile [ ! -e ${sign} ]; do sleep 0.02; done`;

/** Returns how many processes a command leaves behind, and whether they are told. */
const leftByCommand = async (containment: Containment, way: Escape) => {
	const {cwd, sign, mark, env} = place();
	const log = join(temporaryFolder(), 'log');
	const {ok} = await runCommands([leaving(way, sign)], {cwd, env, mark, containment, log});
	expect(ok).toBe(true);
	return processesWith(sign).length;
};

/** Returns how many processes an agent leaves behind. */
const leftByAgent = async (containment: Containment, way: Escape) => {
	const {cwd, sign, mark, env} = place();
	const turn = await startTextTurn({
		command: ['/bin/sh', '-c', leaving(way, sign)],
		directory: cwd,
		environment: env,
		mark,
		containment,
		prompt: '',
		keepInput: false,
		transcript: join(temporaryFolder(), 'transcript'),
		expect: [],
		onSignal: () => {},
	});
	expect((await turn.ended).end).toEqual({by: 'exit', code: 0});
	return processesWith(sign).length;
};

describe.runIf(best.level === 'namespace')(`in a process namespace (${best.why})`, () => {
	test.each(escapes)('nothing of a command or an agent survives: $name', async way => {
		const left = await Promise.all([leftByCommand(best, way), leftByAgent(best, way)]);
		expect(left).toEqual([0, 0]);
	});
});

describe.runIf(process.platform === 'linux')('without a process namespace', () => {
	test.each(escapes.filter(({leavesTraces}) => leavesTraces))(
		'what leaves traces is found and ended: $name',
		async way => {
			const left = await Promise.all([leftByCommand(groups, way), leftByAgent(groups, way)]);
			expect(left).toEqual([0, 0]);
		},
	);

	test.each(escapes.filter(({leavesTraces}) => !leavesTraces))(
		'what leaves none gets away, as the documents say: $name',
		async way => {
			expect(await leftByCommand(groups, way)).toBeGreaterThan(0);
		},
	);
});
