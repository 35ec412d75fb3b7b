import type {Contents, SourceTree} from './source-tree.ts';

/** The name of a project's file; TypeScript takes its options from there. */
const configName = 'tsconfig.json';

/** A tree as it is checked: its projects' files, and the tree with one of ours where it has none. */
export type Projects = {readonly configs: readonly string[]; readonly tree: SourceTree};

/** Returns the projects of a tree, those nearest to its root first; a tree without one gets one with strict defaults. */
export const projectsOf = (tree: SourceTree, contents: Contents): Projects => {
	const configs = [...tree.keys()]
		.filter(path => path === configName || path.endsWith(`/${configName}`))
		.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
		.slice(0, most);
	if (configs.length > 0) {
		return {configs, tree};
	}

	contents.set(ownConfig, ownConfig);
	return {configs: [configName], tree: new Map([...tree, [configName, ownConfig]])};
};

const depth = (path: string): number => path.split('/').length;

/** Projects of one repository share their files, and each of them is checked whole. */
const most = 12;

/** Stands for its own id, so that it is one content among the others. */
const ownConfig = JSON.stringify({
	compilerOptions: {
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		target: 'esnext',
		module: 'preserve',
		moduleResolution: 'bundler',
		allowImportingTsExtensions: true,
		jsx: 'preserve',
		types: [],
	},
	include: ['**/*'],
});
