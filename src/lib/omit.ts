/** Returns the fields but those that are named; a value that may be of several types still may. */
export const omit = <T extends object, K extends keyof T>(from: T, ...names: K[]): Without<T, K> =>
	Object.fromEntries(
		Object.entries(from).filter(([name]) => !names.includes(name as K)),
	) as Without<T, K>;

/** `Omit` alone makes one type of a union, with only the fields that all its members have. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
