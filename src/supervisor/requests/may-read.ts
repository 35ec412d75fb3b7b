import {homedir} from 'node:os';
import {dirname, isAbsolute, join, relative, resolve} from 'node:path';
import {isBelow, resolveLinks} from './resolve-links.ts';

/** Folders of the system, in which no person keeps anything of their own. */
const system: readonly string[] = [
	'/bin',
	'/lib',
	'/lib64',
	'/nix/store',
	'/opt',
	'/sbin',
	'/usr',
	'/Applications/Xcode.app',
	'/Library/Developer',
	'/System',
];

/** Where toolchains and what they have downloaded lie in a home. */
const toolchains: readonly string[] = [
	'.asdf',
	'.cargo/registry',
	'.gradle/caches',
	'.m2/repository',
	'.nvm',
	'.pyenv',
	'.rbenv',
	'.rustup',
	'.sdkman',
	'.volta',
	'go/pkg/mod',
];

/** Whether an agent may read what a path leads to without a person being asked: its worktree, the system and toolchains. */
export const mayRead = async (root: string, path: string): Promise<boolean> => {
	const goal = await resolveLinks(resolve(root, path));
	const homes = toolchains.map(name => join(homedir(), name));
	// Node.js brings its libraries beside the folder of its program.
	const node = dirname(dirname(process.execPath));
	return [root, ...system, ...homes, ...(node === '/' ? [] : [node])].some(folder =>
		isWithin(folder, goal),
	);
};

const isWithin = (folder: string, goal: string): boolean => {
	const way = relative(folder, goal);
	return way === '' || (isBelow(way) && !isAbsolute(way));
};
