import {expect, test} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import type {Event} from '../../src/events/event.ts';
import {inbox, isOfKind} from '../../src/rules/inbox.ts';
import {knownOf, large, openItem, openScreen, recorded} from './a-screen.ts';

const note = 'src/out is a link to “../readme.md”.';

const noted = (event: Event): Event =>
	event.kind === 'merge.built' || event.kind === 'snapshot.taken'
		? {...event, notes: [note]}
		: event;

const missing = (event: Event): Event =>
	event.kind === 'snapshot.taken'
		? {...event, missed: [{path: 'src/queue', why: 'special'}]}
		: event;

/** A recording as it would be had the supervisor found something worth a look, up to its first item of a kind. */
const recordedUntil = async (kind: 'review' | 'approval', found: (event: Event) => Event) => {
	const events = (await recorded('check-fails')).map(found);
	const end = events.findIndex((_, index) =>
		knownOf(events.slice(0, index + 1)).state.items.some(item => item.kind === kind),
	);
	return knownOf(events.slice(0, end + 1));
};

test.each(['review', 'approval'] as const)(
	'what a list of files does not show is told before the %s',
	async kind => {
		const known = await recordedUntil(kind, noted);
		const screen = openScreen(known, {size: large});
		openItem(screen, kind);
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
	const known = await recordedUntil(kind, missing);
	const screen = openScreen(known, {size: large});
	openItem(screen, kind);
	expect(screen.frame()).toMatch(/Worth a look\s+• (?:AGT-\d+: )?src\/queue is not in its work/);
	const item = inbox(known.state).find(isOfKind<'review' | 'approval'>(kind));
	expect(item?.notes).toContainEqual(expect.stringMatching(sentence));
	expect(item === undefined ? '' : itemText(item, '/store')).toContain('worth a look: ');
});
