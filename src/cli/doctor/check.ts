import type {ProcessLayer} from '../../lib/process-layer.ts';
import type {Here} from '../here.ts';

/** What the doctor looks at. */
export type Patient = {
	/** The repository and its state; nothing outside of a repository. */
	readonly here: Here | undefined;
	readonly environment: NodeJS.ProcessEnv;
	readonly layer: ProcessLayer;
};

/** One thing that was found, good or not. */
export type Finding = {
	readonly check: string;
	/** `bad` keeps the program from working, `warn` does not. */
	readonly level: 'good' | 'warn' | 'bad';
	readonly text: string;
	/** What a person can do about it. */
	readonly hint?: string;
};

/** Looks at one thing; nothing that is there is changed. */
export type Check = (patient: Patient) => Promise<readonly Finding[]>;
