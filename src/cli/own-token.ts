import {readFileSync} from 'node:fs';
import {Failure} from '../lib/failure.ts';

let token: string | undefined;

/** Returns the token that this command was given. */
export const ownToken = (): string | undefined => token;

/** Takes a token, out of the environment, so that nothing that is started from here has it. */
export const takeToken = (environment: NodeJS.ProcessEnv): void => {
	token = environment.DELEGATE_TUI_TOKEN || undefined;
	delete environment.DELEGATE_TUI_TOKEN;
};

/** Takes the token that a file holds. */
export const takeTokenFrom = (file: string): void => {
	try {
		token = readFileSync(file, 'utf8').trim();
	} catch (cause) {
		throw new Failure('usage', `The token in ${file} can’t be read.`, {cause});
	}
};
