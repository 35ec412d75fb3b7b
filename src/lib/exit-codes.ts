import type {FailureKind} from './failure.ts';

/** The exit code of each kind of failure, by which scripts tell them apart. */
export const exitCodes: Readonly<Record<FailureKind, number>> = {
	refused: 1,
	usage: 2,
	missing: 3,
	internal: 4,
};
