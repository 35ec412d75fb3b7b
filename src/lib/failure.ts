import {defined} from './values.ts';

/**
What went wrong, by what the person can do about it.

- `refused`: the answer is no (exit code 1)
- `usage`: the request itself is wrong (2)
- `missing`: something this machine or repository lacks (3)
- `internal`: a fault of ours (4)
*/
type FailureKind = 'refused' | 'usage' | 'missing' | 'internal';

/**
An error that a person can read: one sentence, and what to do next.

Everything that is thrown across a room is a `Failure`; any other error that reaches the edge is reported as `internal`.
*/
export class Failure extends Error {
	readonly kind: FailureKind;
	readonly hint: string | undefined;

	constructor(kind: FailureKind, message: string, options: {hint?: string; cause?: unknown} = {}) {
		super(message, defined({cause: options.cause}));
		this.name = 'Failure';
		this.kind = kind;
		this.hint = options.hint;
	}
}

/** Returns any thrown value as a `Failure`, keeping one that already is. */
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

/** Returns the result of `act`, or nothing where it throws. */
export const attempt = <Result>(act: () => Result): Result | undefined => {
	try {
		return act();
	} catch {
		return undefined;
	}
};
