import type {SurfaceChange} from '../../events/surface.ts';
import {isNamedByCommands, type PlanCommands} from './named-by-commands.ts';
import {whatRuns} from './runs-by-itself.ts';

/** A change to a path as far as modes tell it; `undefined` where there is nothing. */
export type ModeChange = {
	readonly path: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
};

/** In which way a change is one of the surface; where a link leads stands in its blob. */
export type Surfacing =
	| {readonly as: 'runs'; readonly what: string}
	| {readonly as: Exclude<SurfaceChange['as'], 'runs'>};

/**
Returns in which ways a change does more than change what is read: something runs by itself, or a path leads elsewhere.

Nothing for most changes; a link under a name that runs by itself is both.
*/
export const surfacings = (
	{path, before, after}: ModeChange,
	commands: PlanCommands,
): readonly Surfacing[] => {
	const runs =
		whatRuns(path) ??
		(isNamedByCommands(commands, path) ? named : undefined) ??
		(after === executable && before !== executable ? started : undefined);
	const leads = after === undefined ? undefined : leading[after];
	return [
		...(runs === undefined ? [] : [{as: 'runs', what: runs} as const]),
		...(leads === undefined ? [] : [{as: leads}]),
	];
};

const executable = '100755';
const started = 'made executable';
const named = 'what setup or verify of the plan names';

const leading: Readonly<Record<string, 'link' | 'submodule'>> = {
	'120000': 'link',
	'160000': 'submodule',
};
