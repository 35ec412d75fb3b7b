import {expect, test} from 'vitest';
import {bringGitBack} from '../../../../src/supervisor/worktree/bring-git-back.ts';
import {makeAtWork} from '../../at-work.ts';

/** What bringing it back comes to where the system refuses something with that code. */
const refusedBy = async (code: string) => {
	const {world, agent} = await makeAtWork({'src/a.txt': 'a\n'});
	const gitAside = (): never => {
		throw Object.assign(new Error(code), {code});
	};
	const folder = {
		...world.folder,
		agent: (id: string) => ({...world.folder.agent(id), gitAside}),
	};
	return bringGitBack({folder}, agent(), 1);
};

test.each([
	['EACCES', 'no user may write there'],
	['EROFS', 'the disk is read-only'],
	['ENOSPC', 'the disk is full'],
])('a .git that %s keeps away is told as stuck, with its true cause', async (code, stuck) => {
	expect(await refusedBy(code)).toMatchObject({left: [{path: '.git', stuck}], stuck: ['.git']});
});

test('a .git that its agent changes meanwhile is left to the next snapshot', async () => {
	expect(await refusedBy('EEXIST')).toEqual({left: [], stuck: []});
});
