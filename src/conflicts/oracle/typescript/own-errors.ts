import type {Diagnosis} from '../oracle.ts';
import {isSyntaxError} from './syntax-error.ts';

/**
Returns the errors that a tree certainly has wherever it is checked; `undefined` where those are all of them.

Where packages that it depends on are missing, what comes from them has no type, and most of what is wrong then is wrong for want of them: nobody can tell which. Only the syntax depends on nothing.
*/
export const ownErrors = (errors: readonly Diagnosis[]): readonly Diagnosis[] | undefined =>
	errors.some(lacksPackage) ? errors.filter(isSyntaxError) : undefined;

const lacksPackage = ({code, text}: Diagnosis): boolean =>
	packageCodes.has(code) || (moduleCodes.has(code) && !/'(\.|\/|#)/.test(text));

/** "Do you need to install type definitions for …?", in its variants, and what JSX needs. */
const packageCodes = new Set([
	...['TS2580', 'TS2581', 'TS2582', 'TS2591', 'TS2592', 'TS2593', 'TS2688', 'TS2867', 'TS2868'],
	...['TS2875', 'TS7016', 'TS7026'],
]);

/** "Cannot find module", which is the tree's own fault where it names a file. */
const moduleCodes = new Set(['TS2307', 'TS2792', 'TS2882']);
