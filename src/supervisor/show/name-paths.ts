import {firstOf} from '../../lib/text/enumerated.ts';
import {withoutStop} from '../../lib/without-stop.ts';

/** How many paths a message names; the others are only counted. */
const namedPaths = 5;

/** Returns a message with the paths it is about. */
export const namePaths = (message: string, paths: readonly string[]): string =>
	paths.length === 0 ? message : `${withoutStop(message)}: ${firstOf(paths, namedPaths)}`;
