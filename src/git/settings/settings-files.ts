import {readdir} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {decodePath} from '../../lib/text/byte-path.ts';
import {splitNul} from '../process/nul.ts';
import {user} from '../process/user.ts';
import {gitDirOf, worktrees} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import {ownFile} from './of-person.ts';

/**
Returns the paths of all files that the person's git goes by in any checkout of the repository; nothing needs to lie there.

Git itself is asked wherever its own settings decide: which configuration it reads, what that includes, and where `core.hooksPath` leads. Nothing of the person's is started by it.
*/
export const settingsFiles = async (repository: Repository): Promise<readonly string[]> => {
	const {root, commonDir, objects} = repository;
	const checkouts = (await worktrees(repository)).filter(checkout => !checkout.isBare);
	const others = checkouts.map(checkout => checkout.root).filter(other => other !== root);
	const files = [
		join(commonDir, 'shallow'),
		join(objects, 'info/alternates'),
		...(await filesIn(join(commonDir, 'info'))).filter(path => !isForServers(path)),
		...(await filesOfCheckout(root, commonDir)),
	];
	for (const other of others) {
		// Where another checkout's can't be read, git can't work there either.
		files.push(...(await filesOfCheckout(other, commonDir).catch(() => [])));
	}

	return [...new Set(files)];
};

/** Each checkout may have settings of its own, and the target may stand in any of them. */
const filesOfCheckout = async (root: string, commonDir: string): Promise<readonly string[]> => {
	const paths = await pathSettings(root);
	const hooks = paths.get('core.hookspath') ?? join(commonDir, 'hooks');
	return [
		...(await configFiles(root)),
		paths.get('core.attributesfile') ?? ownFile('attributes'),
		...(await filesIn(hooks)).filter(path => !path.endsWith('.sample')),
		join(await gitDirOf(root), 'info/sparse-checkout'),
	];
};

/** Returns where the person's settings lead; those that we give git on its command line are not among them. */
const pathSettings = async (root: string): Promise<ReadonlyMap<string, string>> => {
	const pattern = String.raw`^core\.(hookspath|attributesfile)$`;
	const find = ['config', '-z', '--show-scope', '--type=path', '--get-regexp', pattern];
	const fields = splitNul((await user(root, find, {expect: 'any'})).stdout);
	const values = new Map<string, string>();
	for (const [position, entry] of fields.entries()) {
		const end = entry.indexOf('\n');
		if (position % 2 === 1 && fields[position - 1] !== 'command') {
			values.set(entry.slice(0, end), resolve(root, entry.slice(end + 1)));
		}
	}

	return values;
};

const configFiles = async (root: string): Promise<readonly string[]> => {
	const list = ['config', '--list', '-z', '--show-origin', '--name-only'];
	const fields = splitNul((await user(root, list)).stdout);
	const origins = new Set(fields.filter((_, position) => position % 2 === 0));
	// What else there is we say on git's command line ourselves.
	return [...origins].flatMap(origin =>
		origin.startsWith(inFile) ? [resolve(root, origin.slice(inFile.length))] : [],
	);
};

const inFile = 'file:';

/** A folder that isn't there, or that nobody may read, holds nothing that git could use. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
	const names = await readdir(folder, {encoding: 'buffer'}).catch(() => []);
	return names.map(name => join(folder, decodePath(name)));
};

/** A list of refs that each garbage collection writes for servers without git. */
const isForServers = (path: string): boolean => path.endsWith('/info/refs');
