import {execFile} from 'node:child_process';
import {sep} from 'node:path';
import {promisify} from 'node:util';
import {z} from 'zod';
import {attempt} from '../../../lib/failure.ts';
import type {Leftover, LeftoverContext} from './leftover.ts';

/** Returns the Docker Compose projects that were started in worktrees of ended sessions; they outlast the processes of their agents. */
export const leftoverCompose = async ({
	here: {folder},
	sessions,
	only,
}: LeftoverContext): Promise<readonly Leftover[]> => {
	const printed = await docker(['compose', 'ls', '--all', '--format', 'json']).catch(() => '[]');
	const projects = composeProjects.safeParse(attempt(() => JSON.parse(printed))).data ?? [];
	const active = sessions.filter(
		session => session.kind !== 'read' || session.state.session?.ended === undefined,
	);
	const isBelow = (folder: string, path: string) => path.startsWith(`${folder}${sep}`);
	const home = only === undefined ? folder : folder.session(only);
	return projects
		.filter(({Name, ConfigFiles: file}) => {
			const isOurs = isBelow(home.path, file) && file.split(sep).includes(Name);
			return isOurs && !active.some(({folder}) => isBelow(folder.path, file));
		})
		.map(({Name, Status}) => {
			const down = ['compose', '--project-name', Name, 'down', '--volumes', '--remove-orphans'];
			return {
				kind: 'compose',
				text: `Docker Compose project ${Name}, ${Status}`,
				bytes: 0,
				verdict: {kind: 'safe', first: `by docker ${down.join(' ')}`},
				remove: async () => void (await docker(down)),
			};
		});
};

const composeProjects = z.array(
	z.object({Name: z.string(), Status: z.string(), ConfigFiles: z.string()}),
);

/** Time limit for Docker, in milliseconds; without a running one it answers at once. */
const dockerMs = 10_000;

const docker = async (words: readonly string[]): Promise<string> => {
	const {stdout} = await promisify(execFile)('docker', [...words], {timeout: dockerMs});
	return stdout;
};
