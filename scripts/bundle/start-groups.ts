import {resolve} from 'node:path';
import type {OutputOptions} from 'rolldown';

/**
Returns what makes one file of all that an entry loads before it does anything.

Split by who shares what, that would be a hundred files, and to find and link them takes a fifth of the time of a short command. What several entries begin with stays by itself, so that none loads what is another one's.
*/
export const startGroups = (input: Readonly<Record<string, string>>): StartGroups => {
	let starts: readonly Start[] | undefined;
	return {
		groups: [
			{
				debugName: 'start',
				name: (id, modules) => {
					starts ??= Object.entries(input).map(([name, path]) => ({
						name: `${name}-start`,
						ids: reachedFrom(resolve(path), modules),
					}));
					const [one, other] = starts.filter(({ids}) => ids.has(id));
					return one === undefined || other !== undefined ? null : one.name;
				},
			},
		],
	};
};

type StartGroups = Exclude<OutputOptions['codeSplitting'], boolean | undefined>;

/** The modules that an entry imports, also by way of others, but for those that it imports when it needs them. */
type Start = {readonly name: string; readonly ids: ReadonlySet<string>};

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
