import {resolve} from 'node:path';
import type {OutputOptions} from 'rolldown';

/**
Returns a plugin and groups that put everything that a start loads into few files.

Split by all combinations of importers, there would be hundreds of files, and finding and linking them takes a fifth of the time of a short command. So only starts for which a person waits are distinguished: modules with the same importers among them are one file, and none of them evaluates a module that it doesn't need.
*/
export const startGroups = (input: Readonly<Record<string, string>>): StartGroups => {
	let starts: readonly Start[] | undefined;
	return {
		// Each module is placed separately: its imports may have another place.
		includeDependenciesRecursively: false,
		groups: [
			{
				debugName: 'start',
				name: (id, modules) => {
					starts ??= startsOf(input, modules);
					return nameOf(starts.filter(({ids}) => ids.has(id)));
				},
			},
		],
	};
};

/** Starts besides the entries: the supervisor, and the screen up to its first frame. */
const waitedFor: Readonly<Record<string, readonly string[]>> = {
	supervisor: ['src/supervisor/supervise.ts'],
	screen: ['src/cli/commands/open.ts', 'src/client/store/live-store.ts', 'src/tui/screen.ts'],
};

const startsOf = (input: Readonly<Record<string, string>>, modules: Modules): readonly Start[] =>
	[
		...Object.entries(input).map(([name, path]) => [name, [path]] as const),
		...Object.entries(waitedFor),
	].map(([name, paths]) => ({name, ids: reachedFrom(paths, modules)}));

/** Returns the name of a module's file, by the starts that import it; null if none does. Every start loads the program's entry. */
const nameOf = (starts: readonly Start[]): string | null => {
	const names = starts.map(({name}) => name);
	if (names.includes('delegate-tui')) {
		return 'delegate-tui-start';
	}

	return names.length < 2
		? (names[0] ?? null)
		: [
				...(names.some(name => name.startsWith('typescript')) ? ['typescript'] : []),
				...['source-worker', 'supervisor', 'screen'].filter(name => names.includes(name)),
			].join('-');
};

type StartGroups = Exclude<OutputOptions['codeSplitting'], boolean | undefined>;

/** Modules that a start imports, also indirectly, except dynamic imports. */
type Start = {readonly name: string; readonly ids: ReadonlySet<string>};

type Modules = {
	readonly getModuleInfo: (id: string) => {readonly importedIds: readonly string[]} | null;
};

const reachedFrom = (paths: readonly string[], modules: Modules): ReadonlySet<string> => {
	const reached = new Set(paths.map(path => resolve(path)));
	// Iteration over a set includes members that are added meanwhile.
	for (const id of reached) {
		for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
			reached.add(imported);
		}
	}

	return reached;
};
