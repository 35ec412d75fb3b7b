import {delimiter} from 'node:path';
import {type KillingGit, makeKillingGit} from '../helpers/killing-git.ts';
import {type Project, projectAt} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {makeBusyProject} from './scenes.ts';

/** The busy project, with a git that is killed once it is armed, and never again. */
export const makeKillingGitProject = (): {readonly git: KillingGit; readonly project: Project} => {
	const folder = temporaryFolder();
	const {root, environment} = makeBusyProject();
	const project = projectAt(root, {
		env: {PATH: `${folder}${delimiter}${environment.PATH ?? ''}`},
	});
	return {git: makeKillingGit(folder, {once: true}), project};
};
