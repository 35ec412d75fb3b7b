import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Body, Event} from '../../../../src/events/event.ts';
import {promptFor} from '../../../../src/supervisor/perform/start/prompt-for.ts';
import {capture} from '../../../../src/supervisor/worktree/capture.ts';
import {subtask} from '../../../helpers/plan.ts';
import {write} from '../../../helpers/repository.ts';
import {makeAtWork} from '../../at-work.ts';

const asEvents = (bodies: readonly Body[]): readonly Event[] =>
	bodies.map((body, index) => ({...body, seq: index + 1, at: '2026-01-01T00:00:00.000Z'}));

test('what was reverted is told with the next prompt, of whatever kind, and only with that one', async () => {
	const {world, agent, state, tree, begins, believe} = await makeAtWork({'readme.md': 'hello\n'});
	begins();
	write(tree, {'src/a.txt': 'a\n', 'readme.md': 'mine\n'});
	rmSync(join(tree, '.git'));
	const bodies = await capture(world, agent(), 'for a test');
	believe(...bodies);
	world.notices.hear(asEvents(bodies));
	expect(readFileSync(join(tree, 'readme.md'), 'utf8')).toBe('hello\n');
	expect(existsSync(join(tree, '.git'))).toBe(true);

	const wordsOf = async (kind: 'resume' | 'reminder'): Promise<string> =>
		(await promptFor(world, state(), agent(), kind)).words;
	const told = [
		'NOT DONE',
		'- reverted: readme.md, because: your scope does not allow it',
		'- reverted: .git, because: no agent may write it',
	].join('\n');
	expect(await wordsOf('resume')).toContain(`\n\n${told}\n\n`);
	expect(await wordsOf('reminder')).toContain(`\n\n${told}\n\n`);

	const {number: turn} = agent().turn;
	const started = {pid: 1, startTime: '1', prompt: 'resume', items: []} as const;
	world.notices.hear(asEvents([{kind: 'turn.started', agent: 'AGT-001', turn, ...started}]));
	expect(await wordsOf('resume')).not.toContain('NOT DONE');
});

test('the others that an agent is told of are those of the session as it is, not of its plan', async () => {
	const agents = ['AGT-001', 'AGT-002'].map(id => subtask(id));
	const {world, agent, state, believe} = await makeAtWork({'readme.md': 'hello\n'}, {agents});
	believe(
		{kind: 'user.steered', agent: 'AGT-002', order: {verb: 'stop'}},
		{
			...{kind: 'user.decided', item: 'session', choice: 'add', by: 'user'},
			subtask: subtask('AGT-003', {subtask: 'Join later'}),
		},
	);
	const {whole} = await promptFor(world, state(), agent(), 'resume');
	expect(whole).toContain('- AGT-003: Join later');
	expect(whole).not.toContain('AGT-002');
});
