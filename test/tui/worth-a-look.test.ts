import {expect, test} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import type {Event} from '../../src/events/event.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {isOfKind} from '../helpers/waits.ts';
import {large, openAt, whenFirst} from './a-screen.ts';

const note = 'src/out is a link to "../readme.md".';

const noted = (event: Event): Event =>
	event.kind === 'merge.built' || event.kind === 'snapshot.taken'
		? {...event, notes: [note]}
		: event;

const missing = (event: Event): Event =>
	event.kind === 'snapshot.taken'
		? {...event, missed: [{path: 'src/queue', why: 'special'}]}
		: event;

test.each(['review', 'approval'] as const)(
	'what a list of files does not show is told before the %s',
	async kind => {
		const known = await whenFirst('check-fails', kind, noted);
		const screen = openAt(kind, known, {size: large});
		expect(screen.frame()).toContain('Worth a look');
		expect(screen.frame()).toContain(note);
		const item = inbox(known.state).find(one => one.kind === kind);
		expect(item).toMatchObject({notes: [note]});
		expect(item === undefined ? '' : itemText(item, '/store')).toContain(
			`    worth a look: ${note}`,
		);
	},
);

test.each([
	['review', /^src\/queue is not in its work: it is a pipe, a socket or a device\.$/],
	['approval', /^AGT-\d+: src\/queue is not in its work: it is a pipe, a socket or a device\.$/],
] as const)('what no snapshot can hold is told before the %s', async (kind, sentence) => {
	const known = await whenFirst('check-fails', kind, missing);
	const screen = openAt(kind, known, {size: large});
	expect(screen.frame()).toMatch(
		/ Worth a look .*\n • (?:AGT-\d+: )?src\/queue is not in its work/,
	);
	const item = inbox(known.state).find(isOfKind<'review' | 'approval'>(kind));
	expect(item?.notes).toContainEqual(expect.stringMatching(sentence));
	expect(item === undefined ? '' : itemText(item, '/store')).toContain('worth a look: ');
});

test('what a work collides with is told before it is accepted, on the screen and in the inbox', async () => {
	const {state, ...known} = await whenFirst('check-fails', 'review');
	const item = inbox(state).find(isOfKind('review'));
	const collides: Event = {
		...{kind: 'work.compared', seq: state.seq + 1, at: state.at, more: 0},
		...{a: item?.agent ?? '', b: 'target'},
		findings: [
			{
				...{type: 'API_CONFLICT', rule: 'A2', path: 'a.ts', key: 'A2 a.ts', blocking: true},
				...{confidence: 'high', summary: 'a is called in another way.', evidence: []},
			},
		],
	};
	const moved: Event = {
		...{kind: 'target.moved', from: 'old', to: 'new', seq: state.seq + 1, at: state.at},
	};
	const after = apply(apply(state, moved), {...collides, seq: state.seq + 2});
	const words = 'It collides with the target: a is called in another way.';
	const screen = openAt('review', {...known, state: after}, {size: large});
	expect(screen.frame()).toContain(words);
	const told = inbox(after).find(isOfKind('review'));
	expect(told === undefined ? '' : itemText(told, '/store')).toContain(`worth a look: ${words}`);
});

test('what a work is measured by is told below what its agent says and what was found', async () => {
	const wanted = (event: Event): Event =>
		event.kind === 'session.started'
			? {
					...event,
					plan: {
						...event.plan,
						agents: event.plan.agents.map(one => ({...one, metrics: ['p99 < 1 ms']})),
					},
				}
			: event;
	const known = await whenFirst('check-fails', 'review', wanted);
	const screen = openAt('review', known, {size: large});
	expect(screen.frame()).toMatch(/ Measured by *\n • p99 < 1 ms/);
});
