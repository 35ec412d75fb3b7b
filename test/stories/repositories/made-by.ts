import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {type Project, projectAt} from '../../helpers/project.ts';
import {hermeticHome, temporaryFolder} from '../../helpers/repository.ts';

/** Returns the unusual repository that a script of this folder makes, as a person's project. */
export const madeBy = (script: string, ...words: readonly string[]): Project => {
	hermeticHome();
	const root = join(temporaryFolder(), 'project');
	execFileSync(join(import.meta.dirname, script), [root, ...words], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	return projectAt(root);
};
