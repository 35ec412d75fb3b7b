import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {afterEach, describe, expect, it} from 'vitest';
import {watchServers} from '../../../../src/supervisor/perform/start/watch-tools.ts';

const started: ChildProcess[] = [];

afterEach(() => {
	for (const child of started.splice(0)) {
		child.kill('SIGKILL');
	}
});

const run = (environment: Readonly<Record<string, string>>): ChildProcess => {
	const child = spawn('sleep', ['600'], {env: {...environment, PATH: process.env.PATH}});
	started.push(child);
	return child;
};

/** Watches servers of an agent whose own process runs; returns what a person is told, one thing after the other. */
const watched = (names: readonly string[], {isNew = true}: {isNew?: boolean} = {}) => {
	const turn = `${randomUUID()}/AGT-001`;
	const agent = run({DELEGATE_TURN: turn});
	const end = Promise.withResolvers<never>();
	const told: string[] = [];
	let tell = (_: string): void => {};
	const next = () =>
		new Promise<string>(resolve => {
			tell = resolve;
		});
	return {
		agent,
		told,
		next,
		end: end.resolve as () => void,
		serve: (name: string) => run({DELEGATE_TURN: turn, DELEGATE_SERVER: `${turn}/${name}`}),
		watch: () =>
			watchServers(
				names,
				{mark: `DELEGATE_TURN=${turn}`, isNew, ended: end.promise, everyMs: 20},
				what => {
					told.push(what);
					tell(what);
				},
			),
	};
};

describe.skipIf(process.platform === 'linux')('where no environment can be read', () => {
	it('nothing is told of a server', async () => {
		const {watch, told} = watched(['docs']);
		await watch();
		expect(told).toEqual([]);
	});
});

describe.runIf(process.platform === 'linux')('a server of a person’s own', () => {
	it('that does not run is told of, once, and one that runs is not', async () => {
		const {watch, serve, next, told} = watched(['docs', 'other']);
		const other = serve('other');
		const first = next();
		const watching = watch();
		expect(await first).toBe('Its server docs does not run: it ended at once, or was not started.');
		const second = next();
		other.kill('SIGKILL');
		expect(await second).toBe('Its server other has ended.');
		await watching;
		expect(told).toHaveLength(2);
	});

	it('is not missed again in a process that was told of before, nor once the turn or the agent has ended', async () => {
		const later = watched(['docs'], {isNew: false});
		const watching = later.watch();
		later.agent.kill('SIGKILL');
		await once(later.agent, 'exit');
		await watching;
		const over = watched(['docs']);
		over.end();
		await over.watch();
		expect([...later.told, ...over.told]).toEqual([]);
	});
});
