import {closeSync, existsSync, openSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {version} from '../../src/cli/output.ts';
import {serve} from '../../src/control/socket.ts';
import {isLocked} from '../../src/journal/lock.ts';
import {Failure} from '../../src/lib/failure.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project} from '../helpers/project.ts';
import {startRun} from '../helpers/session.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

/** Starts a session whose plan waits for its approval. */
const startWaiting = (project: Project) => startRun(project, plan);

test('a session is started although the supervisor of the one before is still there for a moment', async () => {
	const project = makeProject();
	const {run, id, repository} = await startWaiting(project);
	const home = repositoryFolder(project.state, repository.id);
	const path = readFileSync(home.socket, 'utf8');
	await project.run('stop');
	await run.ended;
	// The real one is gone for good before another stands in its place.
	await expect.poll(() => isLocked(home.lock)).toBe(false);
	await expect.poll(() => existsSync(path)).toBe(false);

	// Who answers must have the repository's lock open, as a supervisor has until it goes.
	const lock = openSync(home.lock, 'r');
	const knocked = Promise.withResolvers<void>();
	const going = await serve({
		path,
		pointer: home.socket,
		version,
		askWho: true,
		session: () => {
			knocked.resolve();
			return id;
		},
		handle: async () => {
			throw new Failure('refused', `Session ${id} is active in this repository; one at a time.`);
		},
	});
	const next = startWaiting(project);
	const first = [knocked.promise.then(() => 'knocked'), next.then(() => 'started')];
	expect(await Promise.race(first)).toBe('knocked');
	await going.close();
	closeSync(lock);
	expect((await next).id).not.toBe(id);
	await project.run('stop');
	await (await next).run.ended;
});
