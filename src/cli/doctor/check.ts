import type {Containment} from '../../lib/process/containment.ts';
import type {Here} from '../here.ts';

/** What the doctor looks at. */
export type CheckContext = {
	/** The repository and its state; nothing outside of a repository. */
	readonly here: Here | undefined;
	readonly environment: NodeJS.ProcessEnv;
	readonly containment: Containment;
};

/** One thing that was found, good or not. */
export type Finding = {
	readonly check: string;
	/** `bad` keeps the program from working, `warn` does not, and what is `absent` need not be there. */
	readonly level: 'good' | 'absent' | 'warn' | 'bad';
	readonly text: string;
	/** What a person can do about it. */
	readonly hint?: string;
	/** The same for programs, where there is more than one thing to tell. */
	readonly facts?: Readonly<Record<string, string | boolean | null>>;
};

/** Looks at one thing; nothing that is there is changed. */
export type Check = (context: CheckContext) => Promise<readonly Finding[]>;
