import {resolve} from 'node:path';
import type {OutputOptions} from 'rolldown';

/**
Returns what makes few files of all that a start of the program loads.

Split by who shares what, that would be hundreds of files, and to find and link them takes a fifth of the time of a short command. So only those starts are told apart in which somebody waits: modules that the same ones of them import are one file, and none of them evaluates what it doesn't need.
*/
export const startGroups = (input: Readonly<Record<string, string>>): StartGroups => {
	let starts: readonly Start[] | undefined;
	return {
		// Each module is placed by itself: the place of what it imports may be another one.
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

/** Beside the entries, the supervisor, and the screen up to its first frame. */
const waitedFor: Readonly<Record<string, readonly string[]>> = {
	supervisor: ['src/supervisor/supervise.ts'],
	screen: ['src/cli/commands/open.ts', 'src/client/store/live-store.ts', 'src/tui/screen.ts'],
};

const startsOf = (input: Readonly<Record<string, string>>, modules: Modules): readonly Start[] =>
	[
		...Object.entries(input).map(([name, path]) => [name, [path]] as const),
		...Object.entries(waitedFor),
	].map(([name, paths]) => ({name, ids: reachedFrom(paths, modules)}));

/** Names the file of a module by the starts that import it; nothing where none does. Every start loads what the program begins with. */
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

/** The modules that a start imports, also by way of others, but for those that it imports when it needs them. */
type Start = {readonly name: string; readonly ids: ReadonlySet<string>};

type Modules = {
	readonly getModuleInfo: (id: string) => {readonly importedIds: readonly string[]} | null;
};

const reachedFrom = (paths: readonly string[], modules: Modules): ReadonlySet<string> => {
	const reached = new Set(paths.map(path => resolve(path)));
	// A set hands out what is added while it is gone through, too.
	for (const id of reached) {
		for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
			reached.add(imported);
		}
	}

	return reached;
};
