import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {realpathSync} from 'node:fs';
import {platform} from 'node:os';
import {expect, onTestFinished, test} from 'vitest';
import {readLsof, watchPorts} from '../../../src/lib/process/port-watch.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const listens = `require('http').createServer((_, response) => response.end('x')).listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;

const start = async (
	folder: string,
	env: Readonly<Record<string, string>> = {},
): Promise<number> => {
	const server = spawn(process.execPath, ['-e', listens], {
		cwd: folder,
		env: {...process.env, ...env},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void server.kill());
	const [line] = await once(server.stdout, 'data');
	return Number(line);
};

const askFor = async (port: number, mark: string): Promise<void> => {
	const [name = '', value = ''] = mark.split('=');
	const script = `fetch('http://127.0.0.1:${port}').then(response => response.text()).then(() => process.exit())`;
	const asking = spawn(process.execPath, ['-e', script], {env: {...process.env, [name]: value}});
	await once(asking, 'exit');
};

const mark = 'PORT_WATCH_TEST=1';

test.runIf(platform() === 'linux')(
	'what somebody else listens on and a command used is told, whenever that one began, and its own servers are not',
	async () => {
		const [theirs, own] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
		const before = await start(theirs);
		const allowed = await start(theirs);
		const watch = await watchPorts({mark, folder: own, allowed: [allowed]});
		const later = await start(theirs);
		const marked = await start(theirs, {PORT_WATCH_TEST: '1'});
		const within = await start(own);
		const asked = [before, allowed, later, marked, within];
		for (const port of asked) {
			await askFor(port, mark);
		}

		// Whatever else runs on this machine may have closed a connection meanwhile.
		const uses = (await watch.stop()).filter(({port}) => asked.includes(port));
		expect(uses.map(({port, by}) => ({port, by}))).toEqual(
			[before, later]
				.toSorted((one, other) => one - other)
				.map(port => ({port, by: `node in ${theirs}`})),
		);
	},
);

test.runIf(platform() === 'linux')(
	'what another program uses meanwhile is not a command’s',
	async () => {
		const folder = temporaryFolder();
		const port = await start(folder);
		const watch = await watchPorts({mark, folder: temporaryFolder(), allowed: []});
		const script = `fetch('http://127.0.0.1:${port}').then(() => { console.log('asked'); setTimeout(() => {}, 60_000); })`;
		const other = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']});
		onTestFinished(() => void other.kill());
		await once(other.stdout, 'data');
		expect((await watch.stop()).filter(use => use.port === port)).toEqual([]);
	},
);

test('a listener without an owner at the end is waited for: it may be a server of the command that is ending', async () => {
	const nothing = {listeners: [], connections: []};
	const listens = {
		listeners: [{port: 4000, owner: '7'}],
		connections: [{from: 50_001, port: 4000}],
	};
	const usesOf = async (last: readonly [typeof nothing | typeof listens, boolean]) => {
		const looks = [nothing, listens];
		const watch = await watchPorts(
			{mark, folder: '/check', allowed: []},
			{
				everyMs: 1,
				look: async () => looks.shift() ?? last[0],
				ownerOf: async () => (last[1] ? {isOwn: true, text: 'node'} : undefined),
			},
		);
		return watch.stop();
	};
	expect(await usesOf([nothing, false])).toEqual([]);
	expect(await usesOf([listens, true])).toEqual([]);
	expect(await usesOf([listens, false])).toEqual([
		{port: 4000, by: 'another program', maybe: true},
	]);
});

test('whose a connection is may be told by a later look, and where none tells it the use is a guess', async () => {
	const server = {port: 4000, owner: '7'};
	const closed = {from: 50_001, port: 4000};
	const usesOf = async (...seen: readonly (string | undefined)[]) => {
		const looks = [
			{listeners: [server], connections: []},
			...seen.map(owner => ({
				listeners: [server],
				connections: [owner === undefined ? closed : {...closed, owner}],
			})),
		];
		const looked = Promise.withResolvers<void>();
		const watch = await watchPorts(
			{mark, folder: '/check', allowed: []},
			{
				everyMs: 1,
				look: async () => {
					if (looks.length === 2) {
						looked.resolve();
					}

					return (looks.length > 1 ? looks.shift() : looks[0]) ?? {listeners: [], connections: []};
				},
				ownerOf: async owner =>
					owner === 'ending' ? undefined : {isOwn: owner === 'own', text: `node ${owner}`},
			},
		);
		await looked.promise;
		return watch.stop();
	};
	expect(await usesOf(undefined, 'other', undefined)).toEqual([]);
	expect(await usesOf(undefined, 'own', undefined)).toEqual([{port: 4000, by: 'node 7'}]);
	expect(await usesOf('ending', undefined)).toEqual([{port: 4000, by: 'node 7', maybe: true}]);
});

test('lsof’s listeners and connections are read', () => {
	const printed = [
		'p100',
		'f5',
		'n127.0.0.1:4000',
		'TST=LISTEN',
		'f6',
		'n127.0.0.1:4000->127.0.0.1:50001',
		'TST=ESTABLISHED',
		'p200',
		'f9',
		'n127.0.0.1:50001->127.0.0.1:4000',
		'f10',
		'n10.0.0.2:50002->93.184.216.34:443',
		'f11',
		'n*:5000',
		'f12',
		'n[::1]:50003->[::1]:5000',
		'',
	].join('\n');
	expect(readLsof(printed)).toEqual({
		listeners: [
			{port: 4000, owner: '100 4000'},
			{port: 5000, owner: '200 5000'},
		],
		connections: [
			{from: 50001, port: 4000, owner: '200'},
			{from: 50003, port: 5000, owner: '200'},
		],
	});
});
