import {join} from 'node:path';
import {expect, test} from 'vitest';
import {replyBlock} from '../../../src/agents/resume/reply-block.ts';
import {notificationsSince} from '../../../src/rules/notifications.ts';
import {recordsOf} from '../../../src/rules/question-record.ts';
import {makeQuestionRoom, type QuestionRoom} from './question-room.ts';

/*
How a question fares with a person who is there, one who is away for two hours, and one who would rather answer on the screen. The agent is a script that waits five minutes for a file; the clock is the session's own, so nobody waits here.
*/

const minute = 60_000;
const workflow = 'workflow_DEL-20260101T000000000Z_AGT-001';
const name = `${workflow}_q1`;

/** The script has asked, and the person was called. */
const asked = async () => {
	const room = await makeQuestionRoom();
	await room.look();
	const before = room.given.state();
	const checkpoint = join(room.home, 'workflows', `${workflow}_checkpoint.json`);
	const question = {
		question: 'Which auth method: OAuth or JWT?',
		options: ['oauth', 'jwt'],
		workflow_id: workflow,
		checkpoint,
		asked_at: '2026-01-01T00:00:00Z',
	};
	room.put(`questions/pending/${name}.json`, JSON.stringify(question));
	await room.look();
	expect(notificationsSince(before, room.given.state())).toMatchObject([
		{
			text: [
				'Which auth method: OAuth or JWT?',
				'delegate-tui answer q-1',
				join(room.home, 'answers', `${name}.txt`),
				'it looks for your answer in a file until its own timeout; your answer counts either way',
			].join('\n'),
		},
	]);
	return room;
};

/** After five minutes the script saves its checkpoint, leaves the question to the person and ends. */
const escalates = async (room: QuestionRoom): Promise<void> => {
	room.given.wait(5 * minute);
	const checkpoint = {
		workflow_id: workflow,
		current_step: 'auth_method_selection',
		completed_steps: ['analyze_requirements', 'design_system'],
		pending_steps: ['implement_auth', 'add_tests'],
		context: 'Need auth method choice to continue implementation',
		next_action: 'implement_selected_auth_method',
	};
	room.put(`workflows/${workflow}_checkpoint.json`, JSON.stringify(checkpoint));
	room.given.says('AGT-001', `QUESTION_ESCALATED:${name}\n`);
	room.given.ends('AGT-001');
	await room.look();
	expect(room.given.stateOf('AGT-001')).toBe('CHECKPOINT');
	expect(room.has(`questions/pending/${name}.json`)).toBe(true);
};

/** The script is started again with the answer, which its checkpoint holds, too, and completes. */
const goesOn = async (room: QuestionRoom, answer: string): Promise<void> => {
	await room.look();
	const place = join(room.home, 'workflows', `${workflow}_checkpoint.json`);
	expect(room.given.agent('AGT-001').replies.map(replyBlock).join('\n')).toContain(
		`\nResume workflow from checkpoint: ${place}. User selected: ${answer}. Continue implementation.`,
	);
	expect(room.json(`workflows/${workflow}_checkpoint.json`)).toMatchObject({
		current_step: 'auth_method_selection',
		user_answer: answer,
	});
	expect(room.names('questions/pending')).toEqual([]);
	expect(room.json(`questions/answered/${name}.json`)).toMatchObject({answer, path: 'escalated'});
	room.given.work();
	expect(room.given.stateOf('AGT-001')).toBe('RUNNING');
	completes(room);
};

const completes = ({given}: QuestionRoom): void => {
	given.says('AGT-001', 'WORKFLOW_COMPLETE\n');
	given.ends('AGT-001');
	expect(given.stateOf('AGT-001')).toBe('COMPLETE');
	expect(given.kinds()).toEqual(['review']);
};

const answerOf = ({given}: QuestionRoom) => recordsOf(given.events())[0]?.closed;

test('a person who is there answers by a file within half a minute, and the script goes on at once', async () => {
	const room = await asked();
	room.given.wait(minute / 2);
	room.put(`answers/${name}.txt`, 'oauth\n');
	await room.look();
	room.take(`answers/${name}.txt`);
	room.take(`questions/pending/${name}.json`);
	await room.look();
	expect(room.given.agent('AGT-001')).toMatchObject({state: 'RUNNING', replies: []});
	expect(answerOf(room)).toMatchObject({answer: 'oauth', by: 'file', path: 'quick'});
	expect(room.text('audit/questions.log')).toMatch(/ \| oauth \| 3\ds \| quick\n$/);
	completes(room);
});

test('a person who is away for two hours finds the question as it was, and nothing ran out', async () => {
	const room = await asked();
	await escalates(room);
	room.given.wait(2 * 60 * minute);
	await room.look();
	expect(room.given.kinds()).toEqual(['question']);
	expect(room.given.keys()).toEqual([]);
	expect(room.given.owed().timers).toEqual([]);
	room.given.decide('q-1', 'oauth');
	expect(answerOf(room)).toMatchObject({
		answer: 'oauth',
		path: 'escalated',
		responseMs: expect.toSatisfy((ms: number) => Math.round(ms / minute) === 125),
	});
	await goesOn(room, 'oauth');
});

test('a person who would rather answer on the screen lets the wait pass and does so then', async () => {
	const room = await asked();
	room.given.decide('q-1', 'snooze');
	await escalates(room);
	room.given.wait(minute / 2);
	room.given.decide('q-1', 'jwt');
	expect(answerOf(room)).toMatchObject({answer: 'jwt', by: 'user', path: 'escalated'});
	await goesOn(room, 'jwt');
});
