import {resolve} from 'node:path';
import type {OutputOptions} from 'rolldown';

/**
Returns what makes few files of all that a start of the program loads.

Split by who shares what, that would be hundreds of files, and to find and link them takes a fifth of the time of a short command. Commands share what the first of them imports, in their order here; what the supervisor and commands share is apart, so that the supervisor loads nothing that only commands need.
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

/** Beside the entries, the supervisor and the commands that scripts and people run most, those that load least first. */
const supervisor = 'src/supervisor/supervise.ts';

const commands = ['inbox', 'status', 'answer', 'run'];

const startsOf = (input: Readonly<Record<string, string>>, modules: Modules): readonly Start[] =>
	[
		...Object.entries(input).map(([name, path]) => ({kind: 'entry' as const, name, path})),
		{kind: 'supervisor' as const, name: 'supervisor', path: supervisor},
		...commands.map(name => ({
			kind: 'command' as const,
			name,
			path: `src/cli/commands/${name}.ts`,
		})),
	].map(({path, ...start}) => ({...start, ids: reachedFrom(resolve(path), modules)}));

/** Names the file of a module by the starts that import it; nothing where none does. Every start loads what the program begins with. */
const nameOf = (starts: readonly Start[]): string | null => {
	const command = starts.find(({kind}) => kind === 'command');
	const others = starts.flatMap(({kind, name}) => (kind === 'command' ? [] : [name]));
	if (others.includes('delegate-tui')) {
		return 'delegate-tui-start';
	}

	if (others.length === 0) {
		return command === undefined ? null : `${command.name}-start`;
	}

	return `${others.join('-')}-${command === undefined ? 'start' : command.name}`;
};

type StartGroups = Exclude<OutputOptions['codeSplitting'], boolean | undefined>;

/** The modules that an entry imports, also by way of others, but for those that it imports when it needs them. */
type Start = {
	readonly kind: 'entry' | 'supervisor' | 'command';
	readonly name: string;
	readonly ids: ReadonlySet<string>;
};

type Modules = {
	readonly getModuleInfo: (id: string) => {readonly importedIds: readonly string[]} | null;
};

const reachedFrom = (entry: string, modules: Modules): ReadonlySet<string> => {
	const reached = new Set([entry]);
	// A set hands out what is added while it is gone through, too.
	for (const id of reached) {
		for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
			reached.add(imported);
		}
	}

	return reached;
};
