/** How many paths a message names; the others are only counted. */
const namedPaths = 5;

/** Returns a message with the paths it is about. */
export const namePaths = (message: string, paths: readonly string[]): string => {
	if (paths.length === 0) {
		return message;
	}

	const named = paths.slice(0, namedPaths).join(', ');
	const others = paths.length - namedPaths;
	const list = others > 0 ? `${named} and ${others} more` : named;
	return `${message.replace(/\.$/, '')}: ${list}`;
};
