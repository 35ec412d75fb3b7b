import {expect, test} from 'vitest';
import type {Body} from '../../../../src/events/event.ts';
import {reportSilence} from '../../../../src/supervisor/perform/start/start.ts';
import {type Given, working} from '../../../helpers/given.ts';

const of = {agent: 'AGT-001', turn: 1};
const since = '2026-01-01T10:00:00.000Z';

/** Tells a session what is reported of it, and returns all of that. */
const reporting = (session: Given) => {
	const told: Body[] = [];
	const world = {
		state: session.state,
		report: (body: Body) => {
			told.push(body);
			session.tell(body);
		},
	};
	return {
		told,
		silence: (silence?: {since: string} | 'quiet', turn = of) =>
			reportSilence(world, turn, silence),
	};
};

test('a silence is told once, and its end once', () => {
	const {told, silence} = reporting(working(['AGT-001']));
	silence({since});
	silence({since});
	silence();
	silence();
	expect(told).toEqual([
		{kind: 'turn.changed', ...of, to: 'silent', since},
		{kind: 'turn.changed', ...of, to: 'heard'},
	]);
});

test('that no word has come yet is told, then a silence, then their end', () => {
	const {told, silence} = reporting(working(['AGT-001']));
	silence('quiet');
	silence({since});
	silence();
	silence();
	expect(told).toEqual([
		{kind: 'turn.changed', ...of, to: 'quiet'},
		{kind: 'turn.changed', ...of, to: 'silent', since},
		{kind: 'turn.changed', ...of, to: 'heard'},
	]);
});

test('nothing is told of a turn that is over, of one that is frozen, or of nobody', () => {
	const session = working(['AGT-001']);
	const {told, silence} = reporting(session);
	silence({since}, {...of, turn: 2});
	silence({since}, {...of, agent: 'AGT-009'});
	session.tell({
		...{kind: 'machine.disk', level: 'full'},
		...{free: 0, total: 1, folder: '/'},
	});
	silence({since});
	session.ends('AGT-001');
	silence({since});
	expect(told).toEqual([]);
});
