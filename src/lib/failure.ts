import {defined} from './values.ts';

/**
Kind of a failure, by how the person can react.

- `refused`: the answer is no (exit code 1)
- `usage`: the request itself is wrong (2)
- `missing`: this machine or repository lacks something (3)
- `internal`: a bug or an unexpected error (4)
*/
type FailureKind = 'refused' | 'usage' | 'missing' | 'internal';

/**
An error for a person: one sentence, and a hint on how to continue.

Errors that cross the boundary of a room are `Failure`s; any other error that reaches the edge is reported as `internal`.
*/
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly hint: string | undefined;
	/** Last lines of the output of the command that failed. */
	readonly printed: readonly string[] | undefined;

	constructor(
		kind: FailureKind,
		message: string,
		options: {hint?: string; printed?: readonly string[]; cause?: unknown} = {},
	) {
		super(message, defined({cause: options.cause}));
		this.name = 'Failure';
		this.kind = kind;
		this.hint = options.hint;
		this.printed = options.printed;
	}
}

/** Converts any thrown value into a `Failure`; returns an existing one unchanged. */
export const asFailure = (error: unknown): Failure => {
	if (error instanceof Failure) {
		return error;
	}

	const message = error instanceof Error ? error.message : String(error);
	return new Failure('internal', message, {cause: error});
};

/** Returns any thrown value as a sentence, with its hint in brackets. */
export const failureText = (error: unknown): string => {
	const {message, hint} = asFailure(error);
	return hint === undefined ? message : `${message} (${hint})`;
};

export const exitCodes: Readonly<Record<FailureKind, number>> = {
	refused: 1,
	usage: 2,
	missing: 3,
	internal: 4,
};

/** Returns the result of `act`, or `undefined` if it throws. */
export const attempt = <Result>(act: () => Result): Result | undefined => {
	try {
		return act();
	} catch {
		return undefined;
	}
};
