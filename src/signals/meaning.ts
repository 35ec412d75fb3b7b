import type {Meaning} from './definition.ts';
import {type Signal, signals} from './index.ts';

/** Returns what a signal means; one that only a plan knows, or that can't be read, informs. */
export const meaningOf = ({kind}: Signal): Meaning => meanings.get(kind) ?? {kind: 'informs'};

const meanings: ReadonlyMap<string, Meaning> = new Map(
	signals.map(({kind, meaning}) => [kind, meaning]),
);
