import {readFileSync} from 'node:fs';
import {Failure} from '../lib/failure.ts';

let token: string | undefined;

/** Returns the token of this command. */
export const ownToken = (): string | undefined => token;

/** Removes the token from the environment, so that child processes don't get it. */
export const takeToken = (environment: NodeJS.ProcessEnv): void => {
	token = environment.DELEGATE_TUI_TOKEN || undefined;
	delete environment.DELEGATE_TUI_TOKEN;
};

export const takeTokenFrom = (file: string): void => {
	try {
		token = readFileSync(file, 'utf8').trim();
	} catch (cause) {
		throw new Failure('usage', `The token in ${file} can’t be read.`, {cause});
	}
};
