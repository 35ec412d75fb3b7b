import type {Diagnosis} from '../oracle.ts';

/** Whether TypeScript could not even read the code. */
export const isSyntaxError = ({code}: Pick<Diagnosis, 'code'>): boolean => /^TS1\d{3}$/.test(code);
