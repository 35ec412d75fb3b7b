import {type Oracles, openOracles} from '../../conflicts/oracle/open-oracles.ts';
import {typescript} from '../../conflicts/oracle/typescript/typescript.ts';
import type {Store} from '../../git/store/store.ts';

/**
Opens the type checkers that look at agents' work while they are at it, and at what all of it makes together.

TypeScript alone, since it reads the objects of git and needs no files; others would check out each snapshot anew. And our own one, not the project's: agents may have written into that, and this is the process that decides what they may.
*/
export const openLiveOracles = (store: Store): Oracles =>
	openOracles(
		{store, runsCode: false},
		{plugins: [typescript], now: () => performance.now(), patienceMs},
	);

/** A large project takes half a minute at first; one that takes much longer is of no use to agents at work. */
const patienceMs = 120_000;
