import {mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Repository} from '../../git/repository/repository.ts';
import {createHub} from '../../git/store/hub.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {removeFolder} from '../../lib/files/remove-folder.ts';
import {send} from '../../lib/process/processes.ts';
import type {AgentFolder, RepositoryFolder} from '../folder.ts';

export type PlannerFolderParts = {
	readonly folder: RepositoryFolder;
	readonly repository: Repository;
	/** The commit that is planned on. */
	readonly commit: string;
};

/**
Does something with a hub and a worktree for a planner, as agents have them; they are gone afterwards, with all that was written there.

Those of a process that was killed go with the next one's.
*/
export const inPlannerFolder = async <T>(
	{folder, repository, commit}: PlannerFolderParts,
	work: (agentFolder: AgentFolder) => Promise<T>,
): Promise<T> => {
	await removeAbandoned(folder.planners);
	const agentFolder = folder.planner(`${process.pid}-${Date.now()}`);
	await mkdir(agentFolder.path, {recursive: true, mode: 0o700});
	try {
		await createHub({folder: agentFolder.path, repository, base: commit, branch: 'planner'});
		return await work(agentFolder);
	} finally {
		await removeFolder(agentFolder.path);
	}
};

const removeAbandoned = async (planners: string): Promise<void> => {
	const names = (await ifThere(readdir(planners))) ?? [];
	for (const name of names.filter(name => !send(Number.parseInt(name, 10), 0))) {
		await removeFolder(join(planners, name));
	}
};
