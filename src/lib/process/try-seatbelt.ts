import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {attempt} from '../failure.ts';
import {type Box, type FileSandbox, systemMounts} from './box.ts';
import {seatbeltWords} from './seatbelt.ts';
import {outcomeOf} from './try-command.ts';

/**
Runs a program in Seatbelt that tries to break out, and returns the sandbox only if it can't: Seatbelt differs between versions of macOS.

@param needed A command that must work inside
*/
export const findSeatbelt = async (
	needed: readonly string[],
	program = '/usr/bin/sandbox-exec',
): Promise<FileSandbox> => {
	if (!existsSync(program)) {
		return {missing: `there is no ${program} here`};
	}

	const folder = mkdtempSync(join(realpathSync(tmpdir()), 'delegate-tui-trial-'));
	const paths = makeCanaries(folder);
	const servers = [
		createServer().listen(paths.hiddenSocket),
		createServer().listen(0, '127.0.0.1'),
	];
	try {
		await Promise.all(servers.map(server => once(server, 'listening')));
		const address = servers[1]?.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		const TRIAL = JSON.stringify({...paths, port, pid: process.pid, command: needed});
		const words = seatbeltWords(program, boxOf(paths), {variables: {HOME: paths.tree, TRIAL}});
		const {said} = await outcomeOf([...words, process.execPath, '-e', trying], {
			patienceMs: 60_000,
		});
		const line = said.split('\n').find(line => line.startsWith('['));
		const troubles = line === undefined ? undefined : attempt<unknown>(() => JSON.parse(line));
		if (!Array.isArray(troubles)) {
			const [why = 'a program in it said nothing'] = said.split('\n').filter(Boolean);
			return {missing: `Seatbelt can’t do it here (${why.trim()})`};
		}

		return troubles.length === 0
			? {program, by: 'Seatbelt'}
			: {missing: `Seatbelt fails its trial here: a program in it ${troubles.join(', ')}`};
	} finally {
		for (const server of servers) {
			server.close();
		}

		rmSync(folder, {recursive: true, force: true});
	}
};

type Canaries = ReturnType<typeof makeCanaries>;

const makeCanaries = (folder: string) => {
	const [tree, shown, secret, hiddenSocket] = ['tree', 'shown', 'secret', 's'].map(name =>
		join(folder, name),
	) as [string, string, string, string];
	const closed = join(tree, 'closed');
	mkdirSync(closed, {recursive: true});
	for (const path of [shown, secret, join(tree, '.git'), join(closed, 'file')]) {
		writeFileSync(path, 'canary');
	}

	return {folder, tree, shown, secret, hiddenSocket, closed};
};

const boxOf = ({tree, shown, closed}: Canaries): Box => [
	...systemMounts(),
	...[shown, process.execPath, realpathSync(process.execPath), join(tree, '.git')].map(
		path => ({path, as: 'seen'}) as const,
	),
	{path: tree, as: 'own'},
	{path: closed, as: 'closed'},
];

/** Prints what the program could do but must not, and the reverse. */
const trying = `
const {linkSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync} = require('node:fs');
const {execFileSync} = require('node:child_process');
const {connect, createServer} = require('node:net');
const {folder, tree, shown, secret, hiddenSocket, closed, port, pid, command} = JSON.parse(process.env.TRIAL);
const reads = path => { if (readFileSync(path, 'utf8') !== 'canary') throw new Error(); };
const reaches = to => new Promise((done, fail) => {
	const client = connect(to).on('error', fail).on('connect', () => done(client.destroy()));
});
const linked = (path, name) => { linkSync(path, tree + name); return tree + name; };
const prevented = {
	'writes beside its worktree': () => writeFileSync(folder + '/beside', ''),
	'changes what it may only read': () => writeFileSync(shown, 'canary'),
	'changes that through a hard link': () => writeFileSync(linked(shown, '/one'), 'canary'),
	'replaces the .git of its worktree': () => renameSync(tree + '/.git', tree + '/moved'),
	'writes in a closed folder of it': () => writeFileSync(closed + '/file', 'canary'),
	'moves a closed folder away': () => renameSync(closed, tree + '/away'),
	'moves its worktree': () => renameSync(tree, folder + '/moved'),
	'reads a hidden file': () => reads(secret),
	'reads that through a hard link': () => reads(linked(secret, '/other')),
	'reads that by the second name of the disk': () => reads('/System/Volumes/Data' + secret),
	'connects to a hidden socket': () => reaches(hiddenSocket),
	'signals a process outside': () => process.kill(pid, 'SIGCONT'),
	'reads the variables of a process outside': () => {
		if (!String(execFileSync('/bin/ps', ['-Eww', '-p', String(pid)])).includes('PATH=')) throw new Error();
	},
};
const needed = {
	'can’t read what it is shown': () => reads(shown),
	'can’t read in a closed folder': () => reads(closed + '/file'),
	'can’t write in its worktree': () => { writeFileSync(tree + '/file', ''); rmSync(tree + '/file'); },
	'can’t listen in its worktree': () => new Promise((done, fail) => {
		const server = createServer().on('error', fail).listen(tree + '/s', () =>
			reaches(tree + '/s').then(done, fail).finally(() => server.close()));
	}),
	'can’t connect to a server': () => reaches({port, host: '127.0.0.1'}),
	['can’t start ' + command[0]]: () => execFileSync(command[0], command.slice(1)),
};
const works = async act => { try { await act(); return true; } catch { return false; } };
const found = async (acts, isWrong) => {
	const names = [];
	for (const [name, act] of Object.entries(acts)) if (await works(act) === isWrong) names.push(name);
	return names;
};
(async () => {
	const troubles = [...await found(needed, false), ...await found(prevented, true)];
	writeSync(2, JSON.stringify(troubles) + '\\n');
})();`;
