import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {OracleContext} from '../../../src/conflicts/oracle/oracle.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {listProcesses, processTree} from '../../../src/lib/process/process-table.ts';
import {
	commitAll,
	type Files,
	git,
	makeRepository,
	temporaryFolder,
	write,
} from '../../helpers/repository.ts';

const wanted = new AbortController().signal;

/** Starts the checker in a project whose own TypeScript does what a script says when it is asked to check; the script may read its own `folder`. */
const started = async (script: string, more: Partial<OracleContext> = {}, changes: Files = {}) => {
	const root = makeRepository({'a.ts': 'export const a = 1;\n'});
	const tree = git(root, 'rev-parse', 'HEAD');
	write(root, changes);
	const later = commitAll(root);
	const checkout = temporaryFolder();
	write(checkout, {
		'node_modules/typescript/package.json': '{"version": "7.9.9", "type": "module"}',
		'node_modules/typescript/dist/api/sync/api.js': `
			import {spawn} from 'node:child_process';
			import {once} from 'node:events';
			import {appendFileSync, existsSync, writeFileSync} from 'node:fs';
			const folder = ${JSON.stringify(checkout)};
			const nothing = {getProject: () => undefined, dispose: async () => {}};
			export class API {
				constructor() {
					appendFileSync(folder + '/opened', '.');
				}
				async updateSnapshot() {
					${script}
					return nothing;
				}
			}
		`,
	});
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	const oracle = await typescriptOracle.start({store, checkout, runsCode: false, ...more});
	if (oracle === undefined) {
		throw new Error('It did not start.');
	}

	onTestFinished(() => oracle.close());
	expect(oracle.version).toBe('7.9.9');
	return {oracle, store, checkout, tree, later};
};

/** The checker's processes among our descendants. */
const checkers = () =>
	processTree(({pid}) => pid === process.pid).filter(({words}) =>
		words.some(word => word.includes('typescript-process')),
	);

const nothing = {errors: [], covered: new Set(), isPart: false};

test('a checker that writes to a program which is gone ends alone, and says so', async () => {
	const {oracle, tree} = await started(`
		const child = spawn('sh', ['-c', 'exec <&-; exec sleep 1000'], {stdio: ['pipe', 'ignore', 'ignore']});
		for (;;) {
			child.stdin.write('x'.repeat(100_000));
			await new Promise(setImmediate);
		}
	`);
	await expect(oracle.check(tree, wanted)).rejects.toThrow('TypeScript ended before it answered (');
	expect(checkers()).toEqual([]);
});

test('a checker whose library ends its thread ends, too', async () => {
	const {oracle, tree} = await started('process.exit();');
	await expect(oracle.check(tree, wanted)).rejects.toThrow(
		'TypeScript ended before it answered (SIGKILL).',
	);
});

test('a checker that is killed at its work is started again', async () => {
	const {oracle, checkout, tree} = await started(`
		if (!existsSync(folder + '/met')) {
			writeFileSync(folder + '/met', '');
			process.kill(process.pid, 'SIGKILL');
			await new Promise(() => {});
		}
	`);
	expect(await oracle.check(tree, wanted)).toEqual(nothing);
	expect(existsSync(join(checkout, 'met'))).toBe(true);
});

test('a checker that was killed between two checks is started again, and each opens TypeScript once', async () => {
	const {oracle, checkout, tree} = await started('');
	await oracle.check(tree, wanted);
	const opened = () => readFileSync(join(checkout, 'opened'), 'utf8');
	expect(opened()).toBe('.');
	for (const {pid} of checkers()) {
		process.kill(pid, 'SIGKILL');
	}

	expect(await oracle.check(tree, wanted)).toEqual(nothing);
	expect(opened()).toBe('..');
});

test('a check that nobody waits for goes on, so that the next one finds TypeScript open', async () => {
	const {oracle, checkout, tree} = await started(`
		writeFileSync(folder + '/met', '');
		while (!existsSync(folder + '/go')) {
			await new Promise(setImmediate);
		}
	`);
	const stopped = new AbortController();
	const check = oracle.check(tree, stopped.signal);
	await expect.poll(() => existsSync(join(checkout, 'met')), {timeout: 60_000}).toBe(true);
	stopped.abort(new Error('Its tree is old.'));
	await expect(check).rejects.toThrow('Its tree is old.');
	const next = oracle.check(tree, wanted);
	write(checkout, {go: ''});
	expect(await next).toEqual(nothing);
	expect(readFileSync(join(checkout, 'opened'), 'utf8')).toBe('.');
});

test('a check that nobody waits for ends at the next file', async () => {
	const many = Array.from({length: 200}, (_, number) => `f${number}.ts`);
	const {oracle, checkout, tree, later} = await started(
		`
			const slowly = () => {
				writeFileSync(folder + '/met', '');
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
				return [];
			};
			nothing.getProject = () => ({
				rootFiles: ${JSON.stringify(many.map(name => `/delegate-tui-merged-tree/${name}`))},
				program: {getSyntacticDiagnostics: () => [], getSemanticDiagnostics: slowly},
			});
		`,
		{budget: () => ({whole: 0})},
		Object.fromEntries(many.map(name => [name, ''])),
	);
	const stopped = new AbortController();
	const check = oracle.check(later, stopped.signal, [tree, later]);
	await expect.poll(() => existsSync(join(checkout, 'met'))).toBe(true);
	stopped.abort(new Error('Its tree is old.'));
	await expect(check).rejects.toThrow('Its tree is old.');
	expect(await oracle.check(tree, wanted)).toMatchObject({errors: [], isPart: true});
	expect(readFileSync(join(checkout, 'opened'), 'utf8')).toBe('.');
});

test('a checker that stands still is killed with all that it started when nobody has waited for a while', async () => {
	const {oracle, tree} = await started(`
		spawn('sleep', ['1000'], {stdio: 'ignore'});
		process.kill(process.pid, 'SIGSTOP');
		await new Promise(() => {});
	`);
	const stopped = new AbortController();
	const check = oracle.check(tree, stopped.signal);
	const [checker] = checkers();
	const group = () => listProcesses().filter(one => one.group === checker?.pid);
	await expect.poll(() => group().some(({isStopped}) => isStopped), {timeout: 30_000}).toBe(true);
	stopped.abort(new Error('Its tree is old.'));
	await expect(check).rejects.toThrow('Its tree is old.');
	await expect.poll(group, {timeout: 120_000}).toEqual([]);
});

test('a checker that fills the memory is ended, and the next check gets a new one', async () => {
	const {oracle, tree} = await started(
		`
			const flood = spawn('yes', {stdio: ['ignore', 'pipe', 'inherit']});
			const kept = [];
			flood.stdout.on('data', piece => kept.push(Buffer.from(piece)));
			if (existsSync(folder + '/met')) {
				flood.kill();
			} else {
				writeFileSync(folder + '/met', '');
				await once(flood, 'exit');
			}
		`,
		{budget: () => ({memory: 400 * 2 ** 20})},
	);
	await expect(oracle.check(tree, wanted)).rejects.toThrow(
		'It needed more than 400 MiB of memory.',
	);
	expect(await oracle.check(tree, wanted)).toEqual(nothing);
});

test('a checker that waits for its program ends with whoever asked it', async () => {
	const {store, checkout, tree} = await started(`
		writeFileSync(folder + '/met', String(process.pid));
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
	`);
	const asking = `
		import {typescriptOracle} from '${import.meta.resolve('../../../src/conflicts/oracle/typescript.ts')}';
		const context = ${JSON.stringify({store, checkout, runsCode: false})};
		const oracle = await typescriptOracle.start(context);
		await oracle.check('${tree}', new AbortController().signal);
	`;
	const asker = spawn(process.execPath, ['--input-type=module', '-e', asking], {stdio: 'ignore'});
	onTestFinished(() => void asker.kill('SIGKILL'));
	const met = join(checkout, 'met');
	await expect
		.poll(() => existsSync(met) && readFileSync(met, 'utf8'), {timeout: 30_000})
		.toMatch(/\d/);
	const checker = Number(readFileSync(met, 'utf8'));
	const isThere = () => listProcesses().some(({pid}) => pid === checker);
	expect(isThere()).toBe(true);
	asker.kill('SIGKILL');
	await expect.poll(isThere, {timeout: 30_000}).toBe(false);
});
