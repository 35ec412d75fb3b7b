import {mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Plan} from '../../src/events/plan.ts';
import {repositoryFolder, sessionsOf} from '../../src/supervisor/folder.ts';
import {startSession} from '../../src/supervisor/start-session.ts';
import type {StartParts} from '../../src/supervisor/world.ts';
import {settingsOf} from '../helpers/plan.ts';
import {git} from '../helpers/repository.ts';
import {makeParts, planOfScript} from './running.ts';

const plan = planOfScript('true');

/** Asks for a session; whatever comes of it, no process of an agent is started. */
const start = async (parts: StartParts, changes: Partial<Plan> = {}, demo = false) => {
	const settings = settingsOf({quickMs: 0, staggerMs: 0, docs: false});
	const {running, event} = await startSession(parts, {
		...{do: 'start', plan: {...plan, ...changes}, settings, environments: {}},
		...{warnings: [], approved: false, demo},
	});
	await running.abandon();
	return event;
};

const ownRefs = (root: string): string => git(root, 'for-each-ref', 'refs/delegate');

test('a session that begins after the clock was set back is the newest', async () => {
	const {parts} = await makeParts({'a.txt': 'a\n'});
	mkdirSync(parts.folder.session('DEL-20991231T235959999Z').path, {recursive: true});
	expect(await start(parts)).toMatchObject({session: sessionsOf(parts.folder).at(-1)});
	expect(sessionsOf(parts.folder)).toEqual(['DEL-20991231T235959999Z', 'DEL-21000101T000000000Z']);
});

describe('a session does not begin, and leaves nothing behind', () => {
	test('where there is no branch to merge into', async () => {
		const {parts, root} = await makeParts({'a.txt': 'a\n'});
		git(root, 'checkout', '--quiet', '--detach');
		await expect(start(parts)).rejects.toMatchObject({
			kind: 'refused',
			message: expect.stringContaining('detached HEAD'),
			hint: 'switch to a branch, or name one in the plan: "target: main"',
		});
		await expect(start(parts, {target: 'main/next'})).rejects.toMatchObject({
			kind: 'refused',
			message: 'There is no branch main/next, and git can’t keep one beside the branch main.',
		});
		expect(ownRefs(root)).toBe('');
		expect(await start(parts, {target: 'main'})).toMatchObject({target: 'main'});
		expect(ownRefs(root)).toMatch(/refs\/delegate\/DEL-\w+\/base$/);
	});

	test('where a script is to decide outside of the demo', async () => {
		const {parts, root} = await makeParts({'a.txt': 'a\n'});
		mkdirSync(parts.folder.path, {recursive: true});
		await expect(start(parts, {}, true)).rejects.toThrow('only in the demo’s repository');
		expect(ownRefs(root)).toBe('');
		const beside = join(dirname(root), 'state');
		const folder = repositoryFolder(beside, parts.repository.id);
		mkdirSync(folder.path, {recursive: true});
		expect(await start({...parts, folder}, {}, true)).toMatchObject({demo: true});
	});
});
