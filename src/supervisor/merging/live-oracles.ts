import {type Oracles, openOracles} from '../../conflicts/oracle/open-oracles.ts';
import type {OraclePlugin} from '../../conflicts/oracle/oracle.ts';
import {typescript} from '../../conflicts/oracle/typescript/typescript.ts';
import type {Store} from '../../git/store/store.ts';

/**
Opens the type checkers that look at agents' work while they are at it, and at what all of it makes together.

TypeScript, since it reads the objects of git and needs no files; others that we know would check out each snapshot again, unasked. And our own one, not the project's: agents may have written into that, and this is the process that decides what they may. After it comes what the plan names, if it names a check, in processes of its own.
*/
export const openLiveOracles = (store: Store, ...named: readonly OraclePlugin[]): Oracles =>
	openOracles(
		{store, runsCode: false},
		{plugins: [typescript, ...named], now: () => performance.now(), patienceMs},
	);

/** A large project takes half a minute at first; one that takes much longer is of no use to agents at work. */
const patienceMs = 120_000;
