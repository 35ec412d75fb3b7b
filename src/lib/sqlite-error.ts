/** Returns whether an error has one of these result codes of SQLite; an extended code has it as its low byte. */
export const isSqliteError = (error: unknown, ...codes: readonly number[]): boolean =>
	error instanceof Error &&
	'errcode' in error &&
	typeof error.errcode === 'number' &&
	codes.includes(error.errcode & 0xff);
