import {expect, test} from 'vitest';
import {overAcp} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

const config = (retries: string): string =>
	`docs: false\nlimits: {stagger: 0s, retries: ${retries}}\n`;

const start = (retries: string) =>
	startSession({agents: [overAcp('recovers.ts')]}, {'.delegate-tui.yaml': config(retries)});

test('an agent whose model is overloaded goes on by itself, in the same conversation', async () => {
	await using session = await start('[0s, 0s]');
	const {updates} = await session.agent('AGT-001', 'COMPLETE');
	expect(updates.summary?.value).toBe(
		'in 3 prompts: Your last turn was cut off by trouble with your model, not by anything you did (Overloaded); nothing you wrote was lost.',
	);
	expect(session.events('conversation.opened')).toHaveLength(1);
	expect(session.events('turn.started').map(({prompt}) => prompt)).toEqual([
		'launch',
		'resume',
		'resume',
	]);
	expect(session.events('turn.ended')[0]?.end).toEqual({
		by: 'error',
		cause: 'the service of its model is overloaded: Overloaded',
		trouble: {kind: 'overloaded', said: 'Overloaded'},
	});
	expect(session.state().items.map(({kind}) => kind)).toEqual(['review']);
});

test('an agent that waits for its model is shown to, and waits on when the supervisor was killed', async () => {
	await using session = await start('[2h]');
	const {why} = await session.agent('AGT-001', 'CHECKPOINT');
	expect(why).toMatch(
		/^waits for its model until \d\d:\d\d:\d\d UTC \(try 1 of 1: it is overloaded\)$/,
	);
	await session.killSupervisor();
	// Time in which nobody supervises is none that it waits, so it waits until later then.
	const {stdout: inbox} = await session.project.run('inbox');
	expect(inbox).toContain('Nothing waits for you.\nAGT-001 waits for its model until ');
	const {stdout: status} = await session.project.run('status', '--json');
	const {agents, notices} = JSON.parse(status);
	expect(agents).toMatchObject([
		{state: 'CHECKPOINT', why: expect.stringContaining('(try 1 of 1')},
	]);
	expect(notices).toContainEqual({
		level: 'warn',
		text: `AGT-001 ${agents[0].why}; to try at once: delegate-tui agent AGT-001 resume`,
	});
	expect(session.events('turn.started')).toHaveLength(1);
});
