/** Returns the fields that have a value: what is not known is left out instead of being `undefined`. */
export const defined = <T extends object>(fields: T): Defined<T> =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as Defined<T>;

type Optional<T> = {[K in keyof T]-?: undefined extends T[K] ? K : never}[keyof T];

/** The fields, of which those that can be `undefined` may be missing. */
export type Defined<T> = {readonly [K in Exclude<keyof T, Optional<T>>]: T[K]} & {
	readonly [K in Optional<T>]?: Exclude<T[K], undefined>;
};
