/** Returns the ISO time that is so many milliseconds after another. */
export const later = (at: string, ms: number): string =>
	new Date(Date.parse(at) + ms).toISOString();

/** Returns the milliseconds from one ISO time to another. */
export const elapsedMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
