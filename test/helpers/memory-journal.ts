import {expect} from 'vitest';
import type {Body, Event} from '../../src/events/event.ts';
import {type Journal, openJournal} from '../../src/journal/writer.ts';
import {requireEvent} from '../../src/supervisor/past/read-session.ts';
import {memoryDisk} from '../journal/memory-disk.ts';

/** A session's journal on a disk in memory. */
export type MemoryJournal = {
	/** Events that were appended and synced, as returned by `append`. */
	readonly events: readonly Event[];
	readonly append: (bodies: readonly (Body & {at: string})[]) => Promise<readonly Event[]>;
	/** Cuts the power, and returns the events that a supervisor reads afterwards. */
	readonly reopen: () => Promise<readonly Event[]>;
};

const place = {folder: '/session/journal', session: 'DEL-20261121-001'};

/** Starts a journal with these events; a power cut loses everything that wasn't synced. */
export const memoryJournal = async (given: readonly Event[]): Promise<MemoryJournal> => {
	const disk = memoryDisk();
	const events: Event[] = [];
	let journal: Journal = await openJournal({...place, files: disk.files});
	const append: MemoryJournal['append'] = async bodies => {
		const written = await journal.append(bodies);
		events.push(...written);
		return written;
	};

	await append(given.map(({seq: _, ...body}) => body));
	return {
		events,
		append,
		reopen: async () => {
			disk.crash('everything', 'name lost');
			journal = await openJournal({...place, files: disk.files});
			expect(journal.entries.map(({seq}) => seq)).toEqual(events.map((_, index) => index + 1));
			return journal.entries.map(requireEvent);
		},
	};
};
